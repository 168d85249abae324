package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.Plugins;
import io.sigma.model.Route;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals of plugins that are written, and their pointers. */
final class PluginCheckTest {

    private static List<FieldError> check(String plugins) {
        return ResourceCheck.check(Route.builder()
                .id("any")
                .routerId("all")
                .path("/*")
                .proxyPassId("pass")
                .plugins(Json.read(plugins, Plugins.class))
                .build());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"faultInjection":{}}                                    | /plugins/faultInjection/delay
                    {"faultInjection":{"delay":{"millis":60001}}}            | /plugins/faultInjection/delay/millis
                    {"faultInjection":{"abort":{"status":200}}}              | /plugins/faultInjection/abort/status
                    {"faultInjection":{"abort":{"status":503,"percentage":101}}} | /plugins/faultInjection/abort/percentage
                    {"headers":{"request":{"remove":["Host"]}}}              | /plugins/headers/request/remove/0
                    {"headers":{"request":{"remove":["A","CDN-Loop"]}}}      | /plugins/headers/request/remove/1
                    {"headers":{"request":{"rename":{"cdn-loop":"A"}}}}      | /plugins/headers/request/rename/cdn-loop
                    {"headers":{"request":{"set":{"Cdn-Loop":"a"}}}}         | /plugins/headers/request/set/Cdn-Loop
                    {"headers":{"request":{"rename":{"A":"b c"}}}}           | /plugins/headers/request/rename/A
                    {"headers":{"response":{"set":{"Content-Length":"1"}}}}  | /plugins/headers/response/set/Content-Length
                    {"headers":{"response":{"add":{"A":"\\r"}}}}             | /plugins/headers/response/add/A
                    {"ipAccess":{}}                                          | /plugins/ipAccess/allow
                    {"ipAccess":{"allow":["10.0.0.0/33"]}}                   | /plugins/ipAccess/allow/0
                    {"ipAccess":{"deny":["10.0.0.1","example.com"]}}         | /plugins/ipAccess/deny/1
                    {"mockResponse":{"status":101}}                          | /plugins/mockResponse/status
                    {"mockResponse":{"status":204,"body":"x"}}               | /plugins/mockResponse/body
                    {"mockResponse":{"status":426}}                          | /plugins/mockResponse/status
                    {"faultInjection":{"abort":{"status":426}}}              | /plugins/faultInjection/abort/status
                    {"mockResponse":{"headers":{"Transfer-Encoding":"x"}}}   | /plugins/mockResponse/headers/Transfer-Encoding
                    {"headers":{"request":{"set":{"X-Consumer-Id":"a"}}}}    | /plugins/headers/request/set/X-Consumer-Id
                    {"headers":{"request":{"add":{"x-consumer-ID":"a"}}}}    | /plugins/headers/request/add/x-consumer-ID
                    {"headers":{"request":{"rename":{"A":"X-Client-DN"}}}}   | /plugins/headers/request/rename/A
                    {"requestId":{"header":"X-Client-Subject"}}              | /plugins/requestId/header
                    {"requestId":{"header":"a b"}}                           | /plugins/requestId/header
                    {"responseTime":{"header":"Connection"}}                 | /plugins/responseTime/header
                    {"rateLimit":{"requests":0}}                             | /plugins/rateLimit/requests
                    {"rateLimit":{"requests":1,"burst":0}}                   | /plugins/rateLimit/burst
                    {"rateLimit":{"requests":1,"periodSeconds":86401}}       | /plugins/rateLimit/periodSeconds
                    {"rateLimit":{"requests":1,"periodSeconds":86400,"burst":1000000}} | /plugins/rateLimit/burst
                    {"rateLimit":{"requests":1,"keysMax":1}}                 | /plugins/rateLimit/keysMax
                    {"rateLimit":{"requests":1,"key":"HEADER"}}              | /plugins/rateLimit/header
                    {"rateLimit":{"requests":1,"header":"X-A"}}              | /plugins/rateLimit/header
                    {"concurrencyLimit":{"requests":1000001}}                | /plugins/concurrencyLimit/requests
                    {"concurrencyLimit":{"requests":1,"key":"HEADER"}}       | /plugins/concurrencyLimit/header
                    {"brotli":{"types":["text"]}}                            | /plugins/brotli/types/0
                    {"gzip":{"types":["text/*","*/x"]}}                      | /plugins/gzip/types/1
                    {"zstd":{"types":[""]}}                                  | /plugins/zstd/types/0
                    {"accessLog":{"format":"TEMPLATE"}}                      | /plugins/accessLog/template
                    {"accessLog":{"template":"$status"}}                     | /plugins/accessLog/template
                    {"accessLog":{"format":"TEMPLATE","template":"$nope"}}   | /plugins/accessLog/template
                    {"accessLog":{"filesMax":0}}                             | /plugins/accessLog/filesMax
                    {"accessLog":{"fileBytesMax":1}}                         | /plugins/accessLog/fileBytesMax
                    {"tracing":{"endpoint":"ftp://a/"}}                      | /plugins/tracing/endpoint
                    {"tracing":{"samplesPerMillion":1000001}}                | /plugins/tracing/samplesPerMillion
                    {"acl":{}}                                               | /plugins/acl/allowConsumers
                    {"keyAuth":{"header":"Host"}}                            | /plugins/keyAuth/header
                    {"jwt":{}}                                               | /plugins/jwt/jwksUrl
                    {"jwt":{"secretPath":"/s","algorithms":["RS256"]}}       | /plugins/jwt/algorithms/0
                    {"jwt":{"jwksUrl":"https://a/","algorithms":["HS256"]}}  | /plugins/jwt/algorithms/0
                    {"jwt":{"jwksUrl":"https://a:0/"}}                       | /plugins/jwt/jwksUrl
                    {"jwt":{"jwksUrl":"https://u@a/"}}                       | /plugins/jwt/jwksUrl
                    {"jwt":{"jwksUrl":"https://%/"}}                         | /plugins/jwt/jwksUrl
                    {"jwt":{"secret":"ÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄ","algorithms":["HS384"]}} | /plugins/jwt/secret
                    {"jwt":{"secret":"0123456789abcdef0123456789abcdef","algorithms":["ES256"]}} | /plugins/jwt/algorithms/0
                    {"jwt":{"jwks":{}}}                                      | /plugins/jwt/jwks/keys
                    {"jwt":{"jwks":{"keys":[{"kty":"oct","k":"x"}]}}}        | /plugins/jwt/jwks/keys/0/kty
                    {"jwt":{"jwks":{"keys":[{"kty":"RSA","d":"x"}]}}}        | /plugins/jwt/jwks/keys/0/d
                    {"jwt":{"jwksUrl":"https://a/","leewaySeconds":301}}     | /plugins/jwt/leewaySeconds
                    {"extensions":{"x y":{}}}                                | /plugins/extensions/x y
                    {"extensions":{"x":{"enabled":"no"}}}                    | /plugins/extensions/x/enabled
                    {"extensions":{"x":{"a":[{"b":1.5}]}}}                   | /plugins/extensions/x/a/0/b
                    {"extensions":{"x":{"a":9007199254740992}}}              | /plugins/extensions/x/a
                    {"extensions":{"x":{"a":-99999999999999999999}}}         | /plugins/extensions/x/a
                    {"extensions":{"x":{"a":-9223372036854775808}}}          | /plugins/extensions/x/a
                    """)
    void badValueIsRefusedWithItsPointer(String plugins, String pointer) {
        assertThat(check(plugins)).extracting(FieldError::pointer).contains(pointer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
                {"faultInjection":{"delay":{"millis":10,"percentage":5},"abort":{"status":503}}}""", """
                {"headers":{"request":{"set":{"X-A":"b"},"rename":{"X-B":"X-C"}}}}""", """
                {"headers":{"request":{"remove":["X-Consumer-Id"]},"response":{"set":{"X-Consumer-Id":"a"}}}}""", """
                {"jwt":{"secret":"0123456789abcdef0123456789abcdef"}}""", """
                {"ipAccess":{"allow":["10.0.0.0/8","::1"],"deny":["10.0.0.13"]}}""", """
                {"mockResponse":{"status":200,"headers":{"Content-Type":"text/plain"},"body":"x"}}""", """
                {"extensions":{"example":{"a":[-9007199254740991,"b",{"c":null}],"enabled":false}}}"""})
    void goodValueIsTaken(String plugins) {
        assertThat(check(plugins)).isEmpty();
    }
}
