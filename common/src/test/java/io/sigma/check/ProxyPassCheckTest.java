package io.sigma.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sigma.json.Json;
import io.sigma.model.FieldError;
import io.sigma.model.ProxyPass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyPassCheckTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/upstreamId | {}",
                "/redirect | {'upstreamId':'a','redirect':{'location':'/x'}}",
                "/fixedResponse/status | {'fixedResponse':{'status':426}}",
                "/fixedResponse | {'split':{'targets':[{'upstreamId':'a','weight':1}]},'fixedResponse':{}}",
                "/split/targets | {'split':{'targets':[{'upstreamId':'a','weight':0}]}}",
                "/split/targets/1/upstreamId | {'split':{'targets':[{'upstreamId':'a','weight':1},{'upstreamId':'a','weight':1}]}}",
                "/stripPrefix | {'upstreamId':'a','stripPrefix':'api'}",
                "/stripPrefix | {'upstreamId':'a','stripPrefix':'/api/'}",
                "/addPrefix | {'upstreamId':'a','addPrefix':'/../x'}",
                "/host | {'upstreamId':'a','host':'a b'}",
                "/host | {'upstreamId':'a','host':'a:99999'}",
                "/staticFiles | {'upstreamId':'a','staticFiles':{'rootPath':'/srv'}}",
                "/staticFiles/rootPath | {'staticFiles':{'rootPath':'/srv\\u0000x'}}",
                "/staticFiles/index | {'staticFiles':{'rootPath':'/srv','index':'../index.html'}}",
                "/staticFiles/index | {'staticFiles':{'rootPath':'/srv','index':'..'}}",
                "/staticFiles/fallback | {'staticFiles':{'rootPath':'/srv','fallback':'../secret'}}",
                "/staticFiles/fallback | {'staticFiles':{'rootPath':'/srv','fallback':'/index.html'}}",
                "/staticFiles/cacheControl | {'staticFiles':{'rootPath':'/srv','cacheControl':'a\\r\\nb: c'}}",
                "/redirect/location | {'redirect':{'location':'/x\\r\\nSet-Cookie: a=b'}}",
                "/addPrefix | {'upstreamId':'a','addPrefix':'/a\\r\\nb'}",
                "/mirror | {'fixedResponse':{},'mirror':{'upstreamId':'a'}}",
                "/retry/methods/0 | {'upstreamId':'a','retry':{'methods':['GETT']}}",
            })
    void badValueIsNamedByItsPointer(String pointer, String json) {
        ProxyPass pass = Json.read(json.replace('\'', '"'), ProxyPass.class);
        assertThat(ResourceCheck.check(pass)).extracting(FieldError::pointer).containsExactly(pointer);
    }

    @Test
    void everyActionIsFineByItself() {
        for (String json : new String[] {
            "{'upstreamId':'a','stripPrefix':'/api','addPrefix':'/v2','host':'[::1]:80'}",
            "{'split':{'targets':[{'upstreamId':'a','weight':1},{'upstreamId':'b','weight':0}]}}",
            "{'redirect':{'location':'/x'}}",
            "{'staticFiles':{'rootPath':'/srv','fallback':'app/index.html','cacheControl':'no-cache'}}",
            "{'upstreamId':'a','mirror':{'upstreamId':'b','percent':10}}",
            "{'fixedResponse':{}}"
        }) {
            assertThat(ResourceCheck.check(Json.read(json.replace('\'', '"'), ProxyPass.class)))
                    .as(json)
                    .isEmpty();
        }
    }
}
