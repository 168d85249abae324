package io.sigma.controlplane.resource;

import io.sigma.snapshot.ResourceType;
import java.util.stream.Stream;

/** Texts of the settings of plugins that are parsed later. */
final class PluginTexts {

    private PluginTexts() {}

    static Stream<ParsedText> rows() {
        return Stream.of(
                plugin("'accessLog':{'format':'TEMPLATE','template':'@'}", "$status", "$nope", "$", "a\nb", "ü"),
                plugin("'accessLog':{'path':'@'}", "/var/log/a.log", "/a\u0000"),
                plugin("'brotli':{'types':['@']}", "text/*", BadTexts.NO_MEDIA),
                plugin("'gzip':{'types':['@']}", "text/*", BadTexts.NO_MEDIA),
                plugin("'zstd':{'types':['@']}", "text/*", BadTexts.NO_MEDIA),
                plugin(
                        "'cors':{'allowOrigins':['@']}",
                        "https://a.example:8443",
                        "a.example",
                        "https://a.example/",
                        "https://a?b",
                        "https://u@a.example",
                        "https://a b",
                        "https://",
                        "null\r\n"),
                plugin("'cors':{'allowMethods':['@']}", "PUT", BadTexts.NO_METHOD),
                plugin(
                        "'csp':{'directives':[{'name':'a','value':'@'}]}",
                        "'self' https://a.example".replace("'", ""),
                        "日本",
                        "a\r\nb",
                        "a;b"),
                plugin("'extensions':{'@':{}}", "a-b", "a b", "ü", "a\n"),
                plugin("'headers':{'request':{'remove':['@']}}", "X-A", "Host", "Connection", "TE"),
                plugin("'headers':{'response':{'rename':{'@':'X-B'}}}", "X-A", BadTexts.NO_FIELD),
                plugin("'headers':{'response':{'set':{'X-A':'@'}}}", "a", BadTexts.NO_VALUE),
                plugin("'ipAccess':{'allow':['@']}", "10.0.0.0/8", BadTexts.NO_RANGE),
                plugin("'ipAccess':{'deny':['@']}", "::/0", BadTexts.NO_RANGE),
                plugin(
                        "'jwt':{'jwksUrl':'@'}",
                        "https://a.example/keys",
                        "https://",
                        "http://[",
                        "http://a:65536/",
                        "http://a:0/",
                        "http://u@a/",
                        "http://a#b",
                        "http://a_b:x/",
                        "http://a/%zz"),
                plugin("'jwt':{'algorithms':['HS512'],'secret':'@'}", "a".repeat(64), "a".repeat(63)),
                plugin("'keyAuth':{'header':'@'}", "X-A", "Host", "Connection", "Transfer-Encoding"),
                plugin("'mockResponse':{'headers':{'@':'a'}}", "X-A", BadTexts.NO_FIELD),
                plugin("'mockResponse':{'headers':{'X-A':'@'}}", "a", BadTexts.NO_VALUE),
                plugin("'requestId':{'header':'@'}", "X-A", "Host", "Content-Length"),
                plugin("'responseTime':{'header':'@'}", "X-A", "Host", "Connection"),
                plugin("'rewritePath':{'regexp':'@','replacement':'/'}", "/a/(.*)", BadTexts.NO_REGEX),
                plugin("'rewritePath':{'regexp':'/(.*)','replacement':'@'}", "/$1", "$2", "${a}", "$", "a\r\nb", "ü"),
                plugin(
                        "'staticResources':{'rootPath':'/srv','urlPattern':'@'}",
                        "/static/*",
                        "static",
                        "/:a",
                        "~/a",
                        "/*/a",
                        "/%zz",
                        "/a b"),
                plugin(
                        "'tracing':{'endpoint':'@'}",
                        "http://a:4318/v1/traces",
                        "http://",
                        "http://a:65536/",
                        "http://u:p@a/",
                        "http://a/%zz",
                        "http://["));
    }

    private static ParsedText plugin(String plugins, String good, String... bad) {
        return ParsedText.of(ResourceType.ROUTER, "{'proxyServerId':'web','plugins':{" + plugins + "}}", good, bad);
    }
}
