//! A studio on a thread of the test.

pub(crate) mod client;

use client::Client;
use spinney_studio::{Patience, Server, Session};

pub(crate) type Studio = Client;

/// Starts a studio that ends with the test's process.
pub(crate) fn start(session: Session, patience: Patience) -> Studio {
    let server = Server::bind(0).expect("a port").with_patience(patience);
    let studio = Client::of_url(&server.url());
    std::thread::spawn(move || server.run(session));
    studio
}

/// Starts a studio with the default settings.
pub(crate) fn usual() -> Studio {
    let session = Session::new(None).expect("a session");
    start(session, Patience::default())
}
