//! The day of a run, by which entries of a baseline expire.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today's date in UTC: `2026-12-31`.
pub fn today() -> String {
    const DAY: u64 = 24 * 60 * 60;
    // A clock before 1970 is wrong, and nothing has expired by it.
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date_of(since / DAY)
}

/// The date, in the Gregorian calendar, of a day since the first of January 1970: years begin in March, so that the leap day is
/// the last of its year.
fn date_of(day: u64) -> String {
    const IN_400_YEARS: u64 = 146_097;
    let day = day + 719_468;
    let (era, of_era) = (day / IN_400_YEARS, day % IN_400_YEARS);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / (IN_400_YEARS - 1)) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + carry)
}

#[cfg(test)]
mod tests {
    use super::date_of;

    #[test]
    fn days_have_dates() {
        for (day, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_of(day), expected, "{day}");
        }
    }
}
