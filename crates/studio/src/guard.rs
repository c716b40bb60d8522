//! Admission of requests: only the page that this run opened is answered.

use hyper::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::{Method, Uri};
use std::fmt::Write;
use std::io;

/// The header with the token, for addresses that do not contain it.
const TOKEN: HeaderName = HeaderName::from_static("x-spinney-token");

/// The token and hosts with which every request is compared.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: String,
    hosts: Vec<String>,
}

/// The reason why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    Host,
    Origin,
    Token,
}

impl Rejection {
    pub(crate) fn problem(self) -> &'static str {
        match self {
            Self::Host => "this server answers to 127.0.0.1, localhost and [::1] only",
            Self::Origin => "only the studio's own page may send requests",
            Self::Token => {
                "open the address that spinney studio printed: its token is missing or wrong"
            }
        }
    }
}

impl Guard {
    /// Creates a guard with a new token of 128 random bits.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub(crate) fn new(port: u16) -> io::Result<Self> {
        let mut random = [0u8; 16];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let mut token = String::new();
        for byte in random {
            // Writing to a String cannot fail.
            let _ = write!(token, "{byte:02x}");
        }
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let mut hosts = names.map(|host| format!("{host}:{port}")).to_vec();
        if port == 80 {
            // Clients leave out the usual port of HTTP.
            hosts.extend(names.map(str::to_owned));
        }
        Ok(Self { token, hosts })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Checks host, origin and token of a request.
    pub(crate) fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Rejection> {
        // DNS can resolve a foreign page's own name to this machine, but its requests then carry
        // that name.
        let host = single(headers, &HOST).ok_or(Rejection::Host)?;
        if !self.hosts.iter().any(|known| known == host) {
            return Err(Rejection::Host);
        }
        if headers.contains_key(ORIGIN) || method != Method::GET {
            // Browsers send the origin with every request that can change something.
            let origin = single(headers, &ORIGIN).and_then(|o| o.strip_prefix("http://"));
            let origin = origin.ok_or(Rejection::Origin)?;
            if !self.hosts.iter().any(|known| known == origin) {
                return Err(Rejection::Origin);
            }
        }
        let given = match single(headers, &TOKEN) {
            Some(token) => token,
            None => query(uri, "token").ok_or(Rejection::Token)?,
        };
        if same(given.as_bytes(), self.token.as_bytes()) {
            Ok(())
        } else {
            Err(Rejection::Token)
        }
    }
}

/// Returns the value of a header that occurs exactly once.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next().map(HeaderValue::to_str)?.ok()?;
    all.next().is_none().then_some(first)
}

/// Returns the value of a name in an address. Escapes are not decoded; no expected value has any.
pub(crate) fn query<'u>(uri: &'u Uri, name: &str) -> Option<&'u str> {
    let pairs = uri.query()?.split('&');
    let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// Compares texts in a time that does not depend on where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differ = a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page of `--port 80` once refused itself.
    #[test]
    fn the_usual_port_may_be_left_out() {
        let known = |port| Guard::new(port).expect("random numbers").hosts;
        assert!(known(80).contains(&"localhost".to_owned()));
        assert!(!known(8).contains(&"localhost".to_owned()));
    }
}
