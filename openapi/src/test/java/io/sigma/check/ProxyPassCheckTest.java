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
                "/fixedResponse | {'split':{'targets':[{'upstreamId':'a','weight':1}]},'fixedResponse':{}}",
                "/split/targets | {'split':{'targets':[{'upstreamId':'a','weight':0}]}}",
                "/split/targets/1/upstreamId | {'split':{'targets':[{'upstreamId':'a','weight':1},{'upstreamId':'a','weight':1}]}}",
                "/stripPrefix | {'upstreamId':'a','stripPrefix':'api'}",
                "/stripPrefix | {'upstreamId':'a','stripPrefix':'/api/'}",
                "/addPrefix | {'upstreamId':'a','addPrefix':'/../x'}",
                "/host | {'upstreamId':'a','host':'a b'}",
                "/host | {'upstreamId':'a','host':'a:99999'}",
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
            "{'fixedResponse':{}}"
        }) {
            assertThat(ResourceCheck.check(Json.read(json.replace('\'', '"'), ProxyPass.class)))
                    .as(json)
                    .isEmpty();
        }
    }
}
