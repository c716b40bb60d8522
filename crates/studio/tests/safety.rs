//! Refusal of foreign, broken and slow requests.

mod common;

use common::client::{Answer, read};
use density::decode::EXTENSIONS;
use spinney_studio::{Patience, Server, Session};
use std::io::Write;
use std::net::{IpAddr, TcpStream};
use std::time::{Duration, Instant};

/// Asserts that a refusal is one line, and contains nothing of the session.
fn refused(answer: &Answer, status: u16, says: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    let text = answer.text();
    assert!(text.contains(says), "{text}");
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
}

#[test]
fn listens_on_this_machine_only() {
    let server = Server::bind(0).expect("a port");
    let all = server.addresses();
    assert!(!all.is_empty());
    for address in all {
        let local = match address.ip() {
            IpAddr::V4(ip) => ip == std::net::Ipv4Addr::LOCALHOST,
            IpAddr::V6(ip) => ip == std::net::Ipv6Addr::LOCALHOST,
        };
        assert!(local, "{address}");
    }
}

#[test]
fn two_servers_have_different_tokens() {
    let token = || {
        let url = Server::bind(0).expect("a port").url();
        url.split_once("token=").map(|(_, token)| token.to_owned())
    };
    let (a, b) = (token().expect("a token"), token().expect("a token"));
    assert_ne!(a, b);
    assert_eq!(a.len(), 32);
}

#[test]
fn the_page_is_served_with_its_token() {
    let studio = common::usual();
    // As a browser asks, without the header of later requests.
    let (host, token) = (studio.address, &studio.token);
    let head = format!("GET /?token={token} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let page = studio.raw(head.as_bytes());
    assert_eq!(page.status, 200);
    assert!(page.text().contains("<title>Spinney studio</title>"));
    let maps = EXTENSIONS.map(|extension| format!(".{extension}"));
    let maps = maps.join(",");
    for accepted in [maps.clone(), format!(".toml,{maps}")] {
        let picker = format!("accept=\"{accepted}\"");
        assert!(page.text().contains(&picker), "{picker}");
    }
    let head = page.head.to_lowercase();
    for needed in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(head.contains(needed), "{head}");
    }
    for path in ["/studio.js", "/studio.css", "/api/state", "/api/map"] {
        assert_eq!(studio.get(path).status, 200, "{path}");
    }
}

/// The page loads nothing from other servers.
#[test]
fn the_page_asks_nobody_else() {
    let studio = common::usual();
    for path in ["/", "/studio.js", "/studio.css", "/verify"] {
        let text = studio.get(path).text();
        assert!(text.len() > 100, "{path}");
        for word in ["http://", "https://", "//cdn", "import(", "@import"] {
            assert!(!text.contains(word), "{path} has {word}");
        }
    }
}

#[test]
fn without_the_token_there_is_nothing() {
    let studio = common::usual();
    let host = studio.address;
    for path in [
        "/",
        "/studio.js",
        "/api/state",
        "/api/map",
        "/nowhere",
        "/?token=",
        "/?token=0",
        &format!("/?token={}", &studio.token[1..]),
        &format!("/?token={}0", studio.token),
    ] {
        let answer = studio.raw(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes(),
        );
        refused(&answer, 403, "token is missing or wrong");
    }
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let studio = common::usual();
    let ask = |headers: &str| {
        let token = &studio.token;
        let text = format!(
            "POST /api/undo HTTP/1.1\r\n{headers}X-Spinney-Token: {token}\r\nContent-Length: 2\r\n\
             Connection: close\r\n\r\n{{}}"
        );
        studio.raw(text.as_bytes())
    };
    let here = studio.address;
    let port = here.port();
    let good = ask(&format!("Host: {here}\r\nOrigin: http://{here}\r\n"));
    assert_eq!(good.status, 200, "{good:?}");
    let also = ask(&format!(
        "Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n"
    ));
    assert_eq!(also.status, 200, "{also:?}");
    for hosts in [
        "Host: evil.example\r\n",
        &format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n",
        "Host: 0.0.0.0\r\n",
        &format!("Host: {here}\r\nHost: {here}\r\n"),
        "",
    ] {
        let answer = ask(&format!("{hosts}Origin: http://{here}\r\n"));
        refused(&answer, 403, "127.0.0.1");
    }
    for origin in [
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        "https://127.0.0.1",
    ] {
        let answer = ask(&format!("Host: {here}\r\nOrigin: {origin}\r\n"));
        refused(&answer, 403, "own page");
    }
    // Browsers send an origin with every request that can change something.
    refused(&ask(&format!("Host: {here}\r\n")), 403, "own page");
}

#[test]
fn there_are_no_files_behind_it() {
    let studio = common::usual();
    for path in [
        "/../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/api/../../../etc/passwd",
        "/studio.js/../Cargo.toml",
    ] {
        let answer = studio.get(path);
        refused(&answer, 404, "nothing here");
        assert!(!answer.text().contains("root:"));
    }
    // The server ignores the host in an absolute address; the path alone is unknown here.
    let answer = studio.get("http://evil.example/etc/passwd");
    assert_eq!(answer.status, 404);
    let put = studio.raw(studio.head("PUT", "/api/state", 0).as_bytes());
    refused(&put, 405, "GET and POST");
}

/// Names that are paths are refused in exports.
#[test]
fn names_are_not_paths() {
    let studio = common::usual();
    for name in [
        "../points.csv",
        "/tmp/points.csv",
        "a\\b.csv",
        "-o.csv",
        ".csv",
        "a\nb.csv",
        "",
    ] {
        let answer = studio.post_json("/api/export", &serde_json::json!({ "name": name }));
        refused(&answer, 422, "the name of a file");
    }
    let answer = studio.post_json("/api/export", &serde_json::json!({ "name": "points.exe" }));
    refused(&answer, 422, "must end in");
}

#[test]
fn long_bodies_are_refused_before_they_are_read() {
    let studio = common::usual();
    let started = Instant::now();
    for (path, length) in [("/api/stroke", 300 << 10), ("/api/open", 200 << 20)] {
        // The body is never sent.
        let answer = studio.raw(studio.head("POST", path, length).as_bytes());
        refused(&answer, 413, "longer than");
    }
    // The length of the body is not announced.
    let head = studio.head("POST", "/api/stroke", 0);
    let head = head.replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let mut request = head.into_bytes();
    let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 0x10000], b"\r\n"].concat();
    for _ in 0..8 {
        request.extend(&chunk);
    }
    refused(&studio.raw(&request), 413, "longer than");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn nonsense_is_refused_in_a_line() {
    let studio = common::usual();
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "{\"stroke\":1}",
        "\u{0}",
        "{\"version\":-1}",
    ];
    let paths = [
        "/api/stroke",
        "/api/points",
        "/api/export",
        "/api/fill",
        "/api/noise",
        "/api/settings",
        "/api/layer",
        "/api/layers/choose",
        "/api/apart",
        "/api/species",
    ];
    for path in paths {
        for body in bodies {
            // An empty list means no distances, or default settings.
            let lists = ["/api/apart", "/api/settings", "/api/layer", "/api/noise"];
            let accepted = body == "[]" && lists.contains(&path);
            let answer = studio.post(path, body.as_bytes());
            if !accepted {
                assert!(
                    (400..500).contains(&answer.status),
                    "{path} {body}: {answer:?}"
                );
                assert_eq!(answer.text().trim_end().lines().count(), 1, "{path} {body}");
            }
        }
    }
    for bytes in [&b"GIF89a"[..], b"", b"\x89PNG\r\n\x1a\n", &[0xff; 1000]] {
        let answer = studio.post("/api/open", bytes);
        assert_eq!(answer.status, 422, "{answer:?}");
    }
    assert_eq!(studio.get("/api/state").status, 200);
}

#[test]
fn slow_clients_are_not_waited_for() {
    let patience = Patience {
        head: Duration::from_millis(300),
        body: Duration::from_millis(300),
        connection: Duration::from_secs(3),
    };
    let studio = common::start(Session::new(None).expect("a session"), patience);
    let started = Instant::now();
    // A head that never ends.
    let mut slow = studio.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost:").expect("sent");
    let _ = read(&mut slow);
    // Nothing at all.
    let _ = read(&mut studio.connect());
    // A body that never ends.
    let mut slow = studio.connect();
    slow.write_all(studio.head("POST", "/api/stroke", 1000).as_bytes())
        .expect("sent");
    slow.write_all(b"{").expect("sent");
    refused(&read(&mut slow), 408, "took too long");
    // A head that arrives byte by byte.
    let mut slow = studio.connect();
    for byte in studio.head("GET", "/api/state", 0).bytes() {
        if slow.write_all(&[byte]).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
        if started.elapsed() > Duration::from_secs(5) {
            break;
        }
    }
    assert_ne!(read(&mut slow).status, 200, "it took four seconds");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(studio.get("/api/state").status, 200);
}

/// A client that does not read loses its connection when the time is up.
#[test]
fn who_does_not_read_is_cut_off() {
    let patience = Patience {
        connection: Duration::from_millis(500),
        ..Patience::default()
    };
    let studio = common::start(Session::new(None).expect("a session"), patience);
    let mut silent: Vec<TcpStream> = (0..64).map(|_| studio.connect()).collect();
    for stream in &mut silent {
        stream
            .write_all(studio.head("GET", "/api/map", 0).as_bytes())
            .expect("sent");
    }
    // All connections are in use until then.
    let mut waited = Duration::ZERO;
    while studio.get("/api/state").status != 200 {
        assert!(waited < Duration::from_millis(1500), "still held");
        std::thread::sleep(Duration::from_millis(50));
        waited += Duration::from_millis(50);
    }
}

#[test]
fn a_thousand_connections_at_once_are_bounded() {
    let patience = Patience {
        head: Duration::from_secs(2),
        ..Patience::default()
    };
    let studio = common::start(Session::new(None).expect("a session"), patience);
    let mut all = Vec::new();
    for _ in 0..1000 {
        // The system may limit the number of open connections.
        if let Ok(stream) = TcpStream::connect(studio.address) {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
            all.push(stream);
        }
    }
    assert!(all.len() > 500, "only {} could be opened", all.len());
    let mut busy = 0;
    let mut served = 0;
    for stream in &mut all {
        let sent = stream.write_all(studio.head("GET", "/api/state", 0).as_bytes());
        let answer = read(stream);
        match answer.status {
            200 if sent.is_ok() => served += 1,
            _ => busy += 1,
        }
    }
    assert!(served >= 1, "nobody was served");
    assert!(
        busy >= all.len() - 200,
        "{busy} of {} turned away",
        all.len()
    );
    drop(all);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(studio.get("/api/state").status, 200, "and then it goes on");
}
