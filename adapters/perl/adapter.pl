#!/usr/bin/env perl
# uriproof's line protocol for the Perl module URI: `perl adapter.pl`.
# The documentation of its methods, by name: https://metacpan.org/pod/URI#COMMON-METHODS and #SCHEME-SPECIFIC-SUPPORT
#
# Not validated: the constructor escapes the characters that are not allowed, and takes every string.
use strict;
use warnings;

use JSON::PP   ();
use URI        ();
use URI::Split ();

# ASCII only: whatever the library makes of a text goes through as an escape.
my $json = JSON::PP->new->ascii;

my %operations = (
    'parse'   => sub { accepted( components => components( URI->new( $_[0]{input} ) ) ) },
    'resolve' => sub {
        my ($request) = @_;
        local $URI::ABS_ALLOW_RELATIVE_SCHEME = !$request->{strict};
        return accepted( uri => URI->new_abs( $request->{reference}, $request->{base} )->as_string );
    },
    'normalize' => sub {
        my ($request) = @_;
        return unsupported('scheme-based only') if $request->{scope} ne 'scheme';
        return accepted( uri => URI->new( $request->{uri} )->canonical->as_string );
    },
    'equivalent' => sub {
        my ($request) = @_;
        return unsupported('scheme-based only') if $request->{rung} ne 'scheme';
        my $equivalent = URI->new( $request->{left} )->eq( $request->{right} );
        return accepted( equivalent => $equivalent ? JSON::PP::true : JSON::PP::false );
    },
    'compose' => sub {    # uri_join: https://metacpan.org/pod/URI::Split; it takes an authority as a whole
        my ( $scheme, $authority, @part ) = @{ $_[0]{components} }{qw(scheme host path query fragment userinfo port)};
        my ( $port, $userinfo ) = ( pop @part, pop @part );
        return unsupported('an authority is given as a whole') if !defined $authority && defined( $userinfo // $port );
        $authority = "$userinfo\@$authority" if defined $userinfo;
        $authority .= ":$port" if defined $port;
        return accepted( uri => URI::Split::uri_join( $scheme, $authority, @part ) );
    },
    'modify' => sub {    # #scheme, #userinfo, #host, #port, #path, #query, #fragment
        my ( $uri, $setter ) = ( URI->new( $_[0]{uri} ), $_[0]{component} );
        return unsupported("its scheme has no $setter") if !$uri->can($setter);
        $uri->$setter( $_[0]{value} );
        return accepted( uri => $uri->as_string );
    },
    'contract' => sub {    # #eq; `==` compares the objects, and there is neither hash nor order
        my ( $left, $right ) = ( URI->new( $_[0]{left} ), URI->new( $_[0]{right} ) );
        my @broken;
        push @broken, 'reflexive' if !$left->eq($left) || !$right->eq($right);
        push @broken, 'symmetric' if !$left->eq($right) != !$right->eq($left);
        return accepted( broken => \@broken );
    },
    'relativize' => sub { accepted( uri => URI->new( $_[0]{target} )->rel( $_[0]{base} )->as_string ) },
    'round-trip' => sub { accepted( uri => URI->new( $_[0]{uri} )->as_string ) },
);

my %hello = (
    name          => 'URI',
    version       => "$URI::VERSION",
    entry_point   => 'URI->new',
    language      => 'Perl',
    specification => 'RFC 2396',
    validates     => JSON::PP::false,
    rules         => ['URI-reference'],
    operations    => [qw(parse resolve normalize compose equivalent relativize modify round-trip contract)],
    tells         => {
        scheme   => 'ignoring-case',              # #scheme: in lower case
        userinfo => 'exact',                      # #userinfo, escaped
        host     => 'octets-without-brackets',    # #host, unescaped
        port     => 'number',                     # #port
        path     => 'exact',                      # #path, escaped
        query    => 'exact',                      # #query, escaped
        fragment => 'exact',                      # #fragment
    },
);

sub accepted    { return ( outcome => 'accepted', @_ ) }
sub unsupported { return ( outcome => 'unsupported', reason => $_[0] ) }

# A key that is missing is not compared. What a URI has depends on its scheme: not all have a query, and few a host.
sub components {
    my ($uri) = @_;
    my %reported = ( scheme => $uri->scheme, fragment => $uri->fragment );
    return \%reported if !$uri->can('authority');
    @reported{qw(path query)} = ( $uri->path, $uri->query );
    if ( !defined $uri->authority ) {
        @reported{qw(userinfo host port)} = ( undef, undef, undef );
    }
    else {
        $reported{userinfo} = $uri->userinfo       if $uri->can('userinfo');
        $reported{host}     = octets( $uri->host ) if $uri->can('host');

        # Where no port was given, it is that of the scheme.
        $reported{port} = $uri->port if $uri->can('port') && $uri->port ne ( $uri->default_port // '' );
    }
    return \%reported;
}

# The octets that were decoded, with a triplet for whatever is not unreserved.
sub octets {
    my ($decoded) = @_;
    $decoded =~ s/([^A-Za-z0-9\-._~])/sprintf '%%%02X', ord $1/ge;
    return $decoded;
}

$| = 1;
while ( my $line = <STDIN> ) {
    my $request = JSON::PP->new->utf8->decode($line);
    my %answer  = ( id => $request->{id} );
    if ( $request->{op} eq 'hello' ) {
        %answer = ( %answer, %hello );
    }
    elsif ( my @outcome = eval { $operations{ $request->{op} }->($request) } ) {
        %answer = ( %answer, @outcome );
    }
    else {
        # The module refuses an empty base and a setter's scheme (`Bad scheme`): any other `die` is a crash, and ends the process.
        die $@ if $@ !~ /^(?:Missing base argument|Bad scheme)/;
        %answer = ( %answer, outcome => 'rejected', reason => $@ );
    }
    print $json->encode( \%answer ), "\n";
}
