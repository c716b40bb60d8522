//! A client that sends raw requests.

#![allow(dead_code, reason = "each test binary takes what it needs")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Address and token of a studio.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Returns the JSON and the bytes of a binary answer.
    pub(crate) fn frame(&self) -> (serde_json::Value, &[u8]) {
        let (length, rest) = self.body.split_first_chunk::<4>().expect("a length");
        let (head, bytes) = rest.split_at(u32::from_le_bytes(*length) as usize);
        (serde_json::from_slice(head).expect("JSON"), bytes)
    }
}

impl Client {
    /// Returns the studio at an address with a token.
    pub(crate) fn of_url(url: &str) -> Self {
        let rest = url.trim().strip_prefix("http://").expect("an address");
        let (address, token) = rest.split_once("/?token=").expect("a token");
        Self {
            address: address.parse().expect("an address and a port"),
            token: token.to_owned(),
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        let wait = Some(Duration::from_secs(120));
        stream.set_read_timeout(wait).expect("a time-out");
        stream
    }

    /// Sends bytes unchanged, and reads the answer to the end.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(request);
        read(&mut stream)
    }

    /// Returns the head of a request as the page sends it.
    pub(crate) fn head(&self, method: &str, path: &str, length: usize) -> String {
        let Self { address, token } = self;
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             X-Spinney-Token: {token}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.raw(self.head("GET", path, 0).as_bytes())
    }

    pub(crate) fn post(&self, path: &str, body: &[u8]) -> Answer {
        let mut request = self.head("POST", path, body.len()).into_bytes();
        request.extend(body);
        self.raw(&request)
    }

    pub(crate) fn post_json(&self, path: &str, body: &serde_json::Value) -> Answer {
        self.post(path, body.to_string().as_bytes())
    }
}

/// Reads an answer up to the end of the connection.
pub(crate) fn read(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n");
    let (head, body) = match end {
        Some(end) => (bytes[..end].to_vec(), bytes[end + 4..].to_vec()),
        None => (bytes, Vec::new()),
    };
    let head = String::from_utf8_lossy(&head).into_owned();
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head,
        body,
    }
}
