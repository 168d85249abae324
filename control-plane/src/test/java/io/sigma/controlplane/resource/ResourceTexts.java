package io.sigma.controlplane.resource;

import io.sigma.controlplane.testing.TestCertificate;
import io.sigma.json.Json;
import io.sigma.snapshot.ResourceType;
import java.util.stream.Stream;

/** Texts of resources that are parsed later. */
final class ResourceTexts {

    private static final TestCertificate CERTIFICATE = TestCertificate.create("shop.example.com");
    private static final String DAMAGED = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

    private ResourceTexts() {}

    static Stream<ParsedText> rows() {
        return Stream.of(listening(), matching(), forwarding(), balancing(), identifying())
                .flatMap(rows -> rows);
    }

    private static ParsedText pass(String fields, String good, String... bad) {
        return ParsedText.of(ResourceType.PROXY_PASS, "{'upstreamId':'u'," + fields + "}", good, bad);
    }

    private static ParsedText route(String fields, String good, String... bad) {
        return ParsedText.of(
                ResourceType.ROUTE, "{'routerId':'r','proxyPassId':'p','path':'/'," + fields + "}", good, bad);
    }

    private static ParsedText match(String fields, String good, String... bad) {
        return ParsedText.of(
                ResourceType.ROUTER, "{'proxyServerId':'s','proxyPassId':'p','match':{" + fields + "}}", good, bad);
    }

    private static ParsedText upstream(String fields, String good, String... bad) {
        return ParsedText.of(ResourceType.UPSTREAM, "{'nodes':[{'url':'http://10.0.0.1'}]," + fields + "}", good, bad);
    }

    private static ParsedText discovery(String fields, String good, String... bad) {
        return ParsedText.of(ResourceType.UPSTREAM, "{'discovery':{'type':'DNS'," + fields + "}}", good, bad);
    }

    private static Stream<ParsedText> listening() {
        String tls = "{'port':1,'protocol':'HTTPS','tls':{'certificates':['a'],";
        return Stream.of(
                ParsedText.of(
                        ResourceType.PROXY_SERVER,
                        "{'port':1,'host':'@'}",
                        "::1",
                        "a b",
                        "[::1]",
                        "1.2.3",
                        "1.2.3.256",
                        "a:1",
                        "-.",
                        "a..b",
                        "ü",
                        BadTexts.CR_LF),
                ParsedText.of(
                        ResourceType.PROXY_SERVER,
                        "{'port':1,'trustedProxies':['@']}",
                        "10.0.0.0/8",
                        BadTexts.NO_RANGE),
                ParsedText.of(ResourceType.PROXY_SERVER, tls + "'clientCa':'@'}}", CERTIFICATE.chain(), "a", DAMAGED),
                ParsedText.of(
                        ResourceType.PROXY_SERVER,
                        tls + "'clientSubjectHeader':'@'}}",
                        "X-Subject",
                        "Cookie",
                        "Authorization",
                        "X-Api-Key",
                        "X-Forwarded-For",
                        "Content-Length",
                        "a\n"),
                ParsedText.of(ResourceType.PROXY_SERVER, tls + "'defaultCertificateId':'@'}}", "a", "b"),
                ParsedText.of(
                        ResourceType.CERTIFICATE,
                        "{'privateKey':" + Json.text(CERTIFICATE.key()) + ",'chain':'@'}",
                        "",
                        "a",
                        DAMAGED),
                ParsedText.of(
                        ResourceType.CERTIFICATE,
                        "{'chain':" + Json.text(CERTIFICATE.chain()) + ",'privateKey':'@'}",
                        CERTIFICATE.key(),
                        "a",
                        TestCertificate.create("b").key(),
                        CERTIFICATE.key().substring(0, 80)));
    }

    private static Stream<ParsedText> matching() {
        return Stream.of(
                ParsedText.of(
                        ResourceType.ROUTER,
                        "{'proxyServerId':'web','hosts':['shop','@']}",
                        "*.shop",
                        "SHOP",
                        "shop.",
                        "*",
                        "a*b",
                        "*.*.a",
                        "a:80",
                        "a/b",
                        "*.[::1]",
                        "[::g]",
                        BadTexts.CR_LF),
                match("'sni':['@']", "*.shop", "*", "a*b", "a:80", "a/b", "10.0.0.1", "[::1]", BadTexts.CR_LF),
                match("'alpn':['@']", "h2", "h 2", "ü", BadTexts.CR_LF),
                match("'clientAddresses':['@']", "::1", BadTexts.NO_RANGE),
                match("'rpc':{'service':{'regex':'@'}}", "a+", BadTexts.NO_REGEX),
                match("'rpc':{'method':{'regex':'@'}}", "a+", BadTexts.NO_REGEX),
                match("'rpc':{'headers':[{'name':'n','regex':'@'}]}", "a+", BadTexts.NO_REGEX),
                ParsedText.of(
                        ResourceType.ROUTE,
                        "{'routerId':'r','proxyPassId':'p','path':'@'}",
                        "/a/:b/*",
                        "a",
                        "/a b",
                        "/%zz",
                        "/%00",
                        "/a/../b",
                        "/*/a",
                        "/:a/:a",
                        "/:",
                        "/:a-b",
                        "/\\",
                        "/ü",
                        "~(",
                        "~(a{1000}){1000}",
                        "/a\n"),
                route("'methods':['@']", "PURGE", BadTexts.NO_METHOD),
                route("'headers':[{'name':'@','value':'a'}]", "X-A", "Host", "Connection", "a b", "X_A", "ü", "a\r\n"),
                route("'headers':[{'name':'X-A','regex':'@'}]", "a+", BadTexts.NO_REGEX),
                route("'cookies':[{'name':'@','value':'a'}]", "a", "a b", "a;b", "a=b", "ü", BadTexts.CR_LF),
                route("'clientAddresses':['@']", "::1", BadTexts.NO_RANGE),
                route("'consumes':['@']", "text/*", BadTexts.NO_MEDIA),
                route("'produces':['@']", "*/*", BadTexts.NO_MEDIA));
    }

    private static Stream<ParsedText> forwarding() {
        return Stream.of(
                pass("'stripPrefix':'@'", "/api", "api", "/api/", "/a b", "/../a", "/%zz", "/a//b", "/ü", "/a\n"),
                pass("'addPrefix':'@'", "/v2", "v2", "/v2/", "/a b", "/..", "/%zz", "/ü", BadTexts.CR_LF),
                pass(
                        "'host':'@'",
                        "shop:8080",
                        "a b",
                        "shop:",
                        "shop:0",
                        "shop:65536",
                        "shop:a",
                        "[::1",
                        "1.2.3.256",
                        "a/b",
                        "ü",
                        BadTexts.CR_LF),
                pass("'requestHeaders':{'remove':['@']}", "X-A", "Host", "Content-Length", "Upgrade"),
                pass("'requestHeaders':{'rename':{'X-A':'@'}}", "X-B", "a b", "ü"),
                pass("'requestHeaders':{'set':{'@':'a'}}", "X-A", BadTexts.NO_FIELD),
                pass("'requestHeaders':{'set':{'X-A':'@'}}", "a\tb", BadTexts.NO_VALUE),
                pass("'responseHeaders':{'add':{'X-A':'@'}}", "é", BadTexts.NO_VALUE),
                pass("'retry':{'methods':['@']}", "POST", BadTexts.NO_METHOD),
                ParsedText.of(
                        ResourceType.PROXY_PASS,
                        "{'fixedResponse':{'contentType':'@'}}",
                        "text/html; charset=utf-8",
                        "html",
                        "text/*",
                        "a/b\r\nX: 1",
                        "a/b; c=日"),
                ParsedText.of(
                        ResourceType.PROXY_PASS,
                        "{'redirect':{'location':'@'}}",
                        "https://$host$path",
                        "/a b",
                        "$nope",
                        "$",
                        "/ü",
                        "/a\r\nX: 1"),
                ParsedText.of(
                        ResourceType.PROXY_PASS,
                        "{'split':{'targets':[{'upstreamId':'a','weight':1},{'upstreamId':'@','weight':1}]}}",
                        "b",
                        "a"),
                ParsedText.of(
                        ResourceType.PROXY_PASS,
                        "{'split':{'targets':[{'upstreamId':'a','weight':1}],'sticky':{'source':'COOKIE','name':'@'}}}",
                        "b",
                        "a b",
                        "a;",
                        "a="),
                ParsedText.of(ResourceType.PROXY_PASS, "{'staticFiles':{'rootPath':'@'}}", "/srv", "/a\n"),
                ParsedText.of(
                        ResourceType.PROXY_PASS,
                        "{'staticFiles':{'rootPath':'/srv','index':'@'}}",
                        "a.html",
                        "a/b",
                        "..",
                        "a\n"),
                ParsedText.of(
                        ResourceType.PROXY_PASS,
                        "{'staticFiles':{'rootPath':'/srv','fallback':'@'}}",
                        "a/b.html",
                        "/a",
                        "../a",
                        "a b",
                        "ü"),
                ParsedText.of(
                        ResourceType.PROXY_PASS,
                        "{'staticFiles':{'rootPath':'/srv','cacheControl':'@'}}",
                        "no-store",
                        " ",
                        BadTexts.CR_LF,
                        "日本"));
    }

    private static Stream<ParsedText> balancing() {
        return Stream.of(
                ParsedText.of(
                        ResourceType.UPSTREAM,
                        "{'nodes':[{'url':'@'}]}",
                        "http://[::1]:80/a",
                        "ftp://a.example",
                        "http://",
                        "https:///a",
                        "http://a:0",
                        "http://a:65536",
                        "http://a:b",
                        "http://u:p@a",
                        "http://a?b=c",
                        "http://a#b",
                        "http://a b",
                        "http://[::g]",
                        "http://1.2.3.256",
                        "http://a_b:x",
                        "http://ü",
                        "http://a/%zz",
                        "http://a/\n"),
                upstream("'balancing':'HASH','hash':{'source':'HEADER','name':'@'}", "X-A", "a b", "ü", BadTexts.CR_LF),
                upstream("'tls':{'ca':'@'}", CERTIFICATE.chain(), "a", DAMAGED),
                upstream(
                        "'tls':{'serverName':'@'}",
                        "shop.example.com",
                        "a b",
                        "[::1]",
                        "::1",
                        "a_b",
                        "-a",
                        "1.2.3.256",
                        "a:443",
                        BadTexts.CR_LF),
                upstream("'healthCheck':{'path':'@'}", "/a?b=c", "a", "/a b", "/a#b", "/ü", "/a\r\nX: 1"),
                upstream("'healthCheck':{'method':'@'}", "HEAD", "a b", "CONNECT", "GET\r\n", "ü"),
                upstream("'healthCheck':{'host':'@'}", "shop:80", "a b", "a/b", "a:0", "ü", BadTexts.CR_LF),
                upstream("'healthCheck':{'headers':{'@':'a'}}", "X-A", BadTexts.NO_FIELD),
                upstream("'healthCheck':{'headers':{'X-A':'@'}}", "a", BadTexts.NO_VALUE),
                upstream("'healthCheck':{'expectedStatuses':['@']}", "2xx", "600", "099", "xx2", "20x", "abc", "2XX"),
                discovery(
                        "'url':'@'",
                        "http://shop:80",
                        "http://10.0.0.1",
                        "http://[::1]",
                        "ftp://shop1",
                        "http://a b",
                        "shop:8080",
                        "http://shop:0"),
                discovery("'url':'http://shop','name':'@'", "_http._tcp.shop", ".a", "a.", "a b", "ü"),
                discovery(
                        "'url':'http://shop','servers':['@']",
                        "[::1]:53",
                        "shop",
                        "10.0.0.1:0",
                        "10.0.0.1:65536",
                        "10.0.0.1:a",
                        "1.2.3",
                        "[::1",
                        BadTexts.CR_LF),
                ParsedText.of(
                        ResourceType.UPSTREAM,
                        "{'discovery':{'type':'@','url':'http://a.example'}}",
                        "CONSUL",
                        "consul",
                        "A-B",
                        "A\n",
                        "A B"));
    }

    private static Stream<ParsedText> identifying() {
        return Stream.of(ParsedText.of(
                ResourceType.CONSUMER,
                "{'logins':[{'username':'a','passwordHash':'@'}]}",
                "pbkdf2-sha512$1000$AAAAAAAAAAA=$AAAAAAAAAAA=",
                "a",
                "pbkdf2-sha512$999$AAAAAAAAAAA=$AAAAAAAAAAA=",
                "pbkdf2-sha512$1000001$AAAAAAAAAAA=$AAAAAAAAAAA=",
                "pbkdf2-sha512$1000$A$AAAAAAAAAAA=",
                "md5$1000$AAAAAAAAAAA=$AAAAAAAAAAA="));
    }
}
