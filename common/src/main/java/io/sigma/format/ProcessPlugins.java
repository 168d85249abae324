package io.sigma.format;

/**
 * The {@code plugins} of the whole process. The model has them on each proxy server.
 *
 * @param pointer where the file has them
 */
record ProcessPlugins(String pointer, boolean httpsRedirect, boolean accessLog) {

    static ProcessPlugins read(ObjectFields fields) {
        boolean redirect = fields.bool("http-redirect-https", false);
        boolean log = fields.bool("log-config", true);
        fields.refuseOthers();
        return new ProcessPlugins(fields.pointer(), redirect, log);
    }
}
