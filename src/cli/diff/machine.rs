//! What the host of an answer means, for programs: its origin, and the addresses that it has by each reading.

use std::net::IpAddr;

use serde::Serialize;
use uriproof::model::{Component, Declaration, Fidelity, Outcome, Reported};
use uriproof_lab::address::{AddressReach, addresses, host_syntax};
use uriproof_lab::origin::Origins;
use uriproof_lab::pairwise::Account;

/// Where a request goes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HostMachine {
    /// None of an answer without a scheme, or whose port is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<Origins>,
    addresses: Vec<AddressRow>,
}

/// An address of a host.
#[derive(Clone, Debug, Serialize)]
struct AddressRow {
    address: IpAddr,
    /// What a request reaches there: `loopback`, `cloud metadata`, `link-local`, `private` or `public`.
    reach: String,
    /// The readings by which it is the host's address.
    readings: Vec<String>,
}

impl HostMachine {
    /// Returns that of an answer; `None` if the answer shows neither a host nor that there is none.
    pub(crate) fn of(declaration: &Declaration, outcome: &Outcome) -> Option<HostMachine> {
        let account = Account::of(declaration, outcome.clone())?;
        let text = |component| account.text(component).as_defined().copied();
        let scheme = text(Component::Scheme);
        let host = account.host();
        let host: &str = match &host {
            Reported::Defined(host) => host,
            Reported::Undefined => {
                // Another spelling of the path can be no URL.
                let path =
                    text(Component::Path).filter(|_| declaration.fidelity(Component::Path) == Some(Fidelity::Exact));
                let origin = scheme.zip(path).map(|(scheme, path)| Origins::without_host(scheme, path));
                let addresses = Vec::new();
                return origin.map(|origin| HostMachine {
                    origin: Some(origin),
                    addresses,
                });
            }
            Reported::Nothing => return None,
        };
        let is_port_known = !matches!(account.text(Component::Port), Reported::Nothing);
        let origin = scheme.filter(|_| is_port_known);
        let addresses = addresses(host, host_syntax(scheme)).into_iter().map(|(address, readings)| AddressRow {
            address,
            reach: AddressReach::of(address).to_string(),
            readings: readings.iter().map(ToString::to_string).collect(),
        });
        Some(HostMachine {
            origin: origin.map(|scheme| Origins::of(scheme, host, text(Component::Port))),
            addresses: addresses.collect(),
        })
    }

    /// Its origin, in words.
    pub(crate) fn origin(&self) -> Option<String> {
        self.origin.as_ref().map(ToString::to_string)
    }
}
