//! pingora with one worker thread: routes, forwarded fields and a log of as many fields as the others have.
//! Usage: bench-pingora PORT NODE1 NODE2 ACCESS_LOG
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use pingora_core::server::{configuration::ServerConf, Server};
use pingora_core::upstreams::peer::HttpPeer;
use pingora_core::{Error, ErrorType, Result};
use pingora_http::RequestHeader;
use pingora_proxy::{http_proxy_service, ProxyHttp, Session};

struct Bench {
    nodes: [String; 2],
    turn: AtomicUsize,
    log: Mutex<BufWriter<File>>,
}

#[async_trait]
impl ProxyHttp for Bench {
    type CTX = Instant;

    fn new_ctx(&self) -> Instant {
        Instant::now()
    }

    async fn upstream_peer(&self, session: &mut Session, _: &mut Instant) -> Result<Box<HttpPeer>> {
        let request = session.req_header();
        let path = request.uri.path();
        if request.headers.get("host").map(|host| host.as_bytes()) != Some(b"bench.example.com".as_slice()) {
            return Error::e_explain(ErrorType::HTTPStatus(404), "no such host");
        }
        let node = match path {
            _ if path.starts_with("/test/") => self.turn.fetch_add(1, Ordering::Relaxed) % 2,
            _ if ["/api/", "/orders/", "/users/"].iter().any(|start| path.starts_with(start)) => 0,
            _ => return Error::e_explain(ErrorType::HTTPStatus(404), "no such route"),
        };
        Ok(Box::new(HttpPeer::new(self.nodes[node].as_str(), false, String::new())))
    }

    async fn upstream_request_filter(&self, session: &mut Session, to: &mut RequestHeader, _: &mut Instant) -> Result<()> {
        let client = session.client_addr().and_then(|a| a.as_inet()).map_or(String::new(), |a| a.ip().to_string());
        if let Some(rest) = to.uri.path().strip_prefix("/test") {
            to.set_raw_path(rest.to_string().as_bytes())?;
        }
        to.insert_header("X-Real-IP", &client)?;
        to.insert_header("X-Forwarded-For", &client)?;
        to.insert_header("X-Forwarded-Proto", "http")?;
        to.insert_header("X-Forwarded-Host", "bench.example.com")
    }

    async fn logging(&self, session: &mut Session, _: Option<&Error>, began: &mut Instant) {
        let (request, status) = (session.req_header(), session.response_written().map_or(0, |r| r.status.as_u16()));
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
        let address = session.client_addr().map(|a| a.to_string()).unwrap_or_default();
        let agent = request.headers.get("user-agent").and_then(|v| v.to_str().ok()).unwrap_or("");
        let line = format!(
            "{{\"time\":{millis},\"protocol\":\"{:?}\",\"method\":\"{}\",\"path\":\"{}\",\"status\":{status},\"bytesOut\":{},\"duration\":{},\"remoteAddress\":\"{address}\",\"userAgent\":\"{agent}\"}}\n",
            request.version, request.method, request.uri.path(), session.body_bytes_sent(), began.elapsed().as_micros());
        let _ = self.log.lock().unwrap().write_all(line.as_bytes());
    }
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [port, one, two, log] = given.as_slice() else { panic!("expected PORT NODE1 NODE2 ACCESS_LOG, got {given:?}") };
    let nodes = [one, two].map(|node| format!("127.0.0.1:{node}"));
    let file = File::create(log).expect("the access log can be written");
    let conf = ServerConf { threads: 1, upstream_keepalive_pool_size: 2048, grace_period_seconds: Some(0), ..Default::default() };
    let mut server = Server::new_with_opt_and_conf(None, conf);
    server.bootstrap();
    let bench = Bench { nodes, turn: AtomicUsize::new(0), log: Mutex::new(BufWriter::with_capacity(65536, file)) };
    let mut service = http_proxy_service(&Arc::clone(&server.configuration), bench);
    service.add_tcp(&format!("127.0.0.1:{port}"));
    server.add_service(service);
    server.run_forever()
}
