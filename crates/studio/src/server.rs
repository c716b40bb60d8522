//! The server: bounded connections, time-outs, and the guard before everything.

use crate::error::StudioError;
use crate::guard::Guard;
use crate::routes::{self, Answer};
use crate::session::Session;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Largest number of connections. A browser opens six for each host.
const CONNECTIONS: usize = 64;

/// Largest number of large bodies in memory.
const UPLOADS: usize = 1;

/// Time-outs of requests and connections.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From the beginning of a connection, or its last answer, to the end of the next request's
    /// head.
    pub head: Duration,
    /// From the end of a request's head to the end of its body.
    pub body: Duration,
    /// For a whole connection, whatever its requests. The page then opens another.
    pub connection: Duration,
}

impl Default for Patience {
    /// Returns half a minute for a head, a minute for a body, and ten minutes for a connection.
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            body: Duration::from_secs(60),
            connection: Duration::from_secs(600),
        }
    }
}

/// A server that listens on this machine's own addresses only.
///
/// ```no_run
/// use spinney_studio::{Server, Session};
///
/// let server = Server::bind(0)?;
/// println!("open {}", server.url());
/// server.run(Session::new(None)?);
/// # Ok::<(), spinney_studio::StudioError>(())
/// ```
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listeners: Vec<TcpListener>,
    port: u16,
    guard: Guard,
    patience: Patience,
}

/// State that all connections share.
struct Shared {
    session: Session,
    guard: Guard,
    patience: Patience,
    connections: Arc<Semaphore>,
    uploads: Semaphore,
}

impl Server {
    /// Binds `port` of 127.0.0.1, and of `::1` where that exists; 0 takes any free port. Each
    /// server has a new token.
    ///
    /// # Errors
    /// If the port is not available, or the system provides no threads or random numbers.
    pub fn bind(port: u16) -> Result<Self, StudioError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(CONNECTIONS)
            .enable_all()
            .build()
            .map_err(StudioError::Start)?;
        let failed = |source| StudioError::Bind { port, source };
        let (listeners, taken) = runtime.block_on(async {
            let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
                .await
                .map_err(failed)?;
            let taken = first.local_addr().map_err(failed)?.port();
            // Not every machine has `::1`, and another program may hold the port there.
            let second = TcpListener::bind((Ipv6Addr::LOCALHOST, taken)).await;
            let mut all = vec![first];
            all.extend(second.ok());
            Ok::<_, StudioError>((all, taken))
        })?;
        let guard = Guard::new(taken).map_err(StudioError::Start)?;
        Ok(Self {
            runtime,
            listeners,
            port: taken,
            guard,
            patience: Patience::default(),
        })
    }

    /// Sets the time-outs.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// Returns the address of the page, including the token.
    pub fn url(&self) -> String {
        format!(
            "http://127.0.0.1:{}/?token={}",
            self.port,
            self.guard.token()
        )
    }

    /// Returns the addresses that the server listens on.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let all = self.listeners.iter().map(TcpListener::local_addr);
        all.filter_map(Result::ok).collect()
    }

    /// Answers requests until the program ends.
    pub fn run(self, session: Session) {
        let shared = Arc::new(Shared {
            session,
            guard: self.guard,
            patience: self.patience,
            connections: Arc::new(Semaphore::new(CONNECTIONS)),
            uploads: Semaphore::new(UPLOADS),
        });
        let mut loops = Vec::new();
        for listener in self.listeners {
            loops.push(self.runtime.spawn(accept(listener, Arc::clone(&shared))));
        }
        self.runtime.block_on(async {
            for one in loops {
                // The loops end with the program.
                let _ = one.await;
            }
        });
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many files are open; some may be closed in the meantime.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&shared.connections).try_acquire_owned() else {
            turn_away(&stream);
            continue;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            serve(stream, &shared).await;
            drop(permit);
        });
    }
}

/// Answers that there are too many connections, if that is possible without waiting.
fn turn_away(stream: &TcpStream) {
    const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 38\r\n\
        connection: close\r\n\r\nthere are too many connections at once";
    let _ = stream.try_write(BUSY);
}

async fn serve(stream: TcpStream, shared: &Arc<Shared>) {
    // Strokes are small, and the page waits for each.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let shared = Arc::clone(shared);
        async move { Ok::<_, Infallible>(respond(request, shared).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(shared.patience.head)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(stream), service);
    // A client that closed the connection needs no answer.
    let _ = timeout(shared.patience.connection, connection).await;
}

async fn respond(request: Request<Incoming>, shared: Arc<Shared>) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    if let Err(rejection) = shared.guard.check(&head.method, &head.uri, &head.headers) {
        let answer = Answer::refusal(StatusCode::FORBIDDEN, rejection.problem());
        return response(answer, Connection::Close);
    }
    let most = routes::most_bytes(&head.uri);
    let size = body.size_hint();
    if size.lower() > most {
        return response(too_long(most), Connection::Close);
    }
    let upload = if size.upper().is_none_or(|upper| upper > 1 << 20) {
        shared.uploads.acquire().await.ok()
    } else {
        None
    };
    let limit = usize::try_from(most).unwrap_or(usize::MAX);
    let read = timeout(shared.patience.body, Limited::new(body, limit).collect()).await;
    let body = match read {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(e)) if e.is::<LengthLimitError>() => {
            return response(too_long(most), Connection::Close);
        }
        Ok(Err(_)) => {
            let answer = Answer::refusal(StatusCode::BAD_REQUEST, "the request is cut short");
            return response(answer, Connection::Close);
        }
        Err(_) => {
            let problem = "the request took too long";
            let answer = Answer::refusal(StatusCode::REQUEST_TIMEOUT, problem);
            return response(answer, Connection::Close);
        }
    };
    let work = {
        let shared = Arc::clone(&shared);
        tokio::task::spawn_blocking(move || {
            let Shared { session, guard, .. } = &*shared;
            routes::answer(session, guard, &head.method, &head.uri, &body)
        })
    };
    let answer = work.await.unwrap_or_else(|_| {
        let problem = "this request failed inside the studio; please report it";
        Answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, problem)
    });
    drop(upload);
    response(answer, Connection::Keep)
}

fn too_long(most: u64) -> Answer {
    let problem = format!("the request is longer than {most} bytes");
    Answer::refusal(StatusCode::PAYLOAD_TOO_LARGE, &problem)
}

/// Whether a connection is kept for more requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Connection {
    Keep,
    Close,
}

/// The page's permissions: it may connect to this server only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

fn response(answer: Answer, connection: Connection) -> Response<Full<Bytes>> {
    let Answer { status, kind, body } = answer;
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if connection == Connection::Close {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
