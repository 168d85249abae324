package io.sigma.dataplane.filter.extension;

import io.sigma.dataplane.exchange.ResponseHead;
import io.sigma.plugin.PluginFields;
import io.sigma.plugin.PluginResponse;

/** A response, as a plugin sees it. */
record ExtensionResponse(ResponseHead head) implements PluginResponse {

    @Override
    public int status() {
        return head.status();
    }

    @Override
    public void status(int status) {
        head.status(status);
    }

    @Override
    public PluginFields fields() {
        return new ExtensionFields(head.fields());
    }
}
