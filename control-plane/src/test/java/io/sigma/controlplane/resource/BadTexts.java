package io.sigma.controlplane.resource;

/** Texts that no field of some kind takes. */
final class BadTexts {

    static final String CR_LF = "a\r\nX-Injected: 1";

    static final String[] NO_FIELD = {"Connection", "Content-Length", "transfer-encoding", "Host", "a b", "ü"};
    static final String[] NO_VALUE = {CR_LF, "a\u0000", "a\u007f", "日本"};
    static final String[] NO_RANGE = {
        "10.0.0.0/33", "10.0.0/8", "shop", "10.0.0.1/", "::/129", "1.2.3.4/-1", "256.0.0.1", "::1%lo", "10.0.0.1 "
    };
    static final String[] NO_REGEX = {
        "(", "[a", "a**", "(?=a)", "\\1", "a{2,1}", "(a{1000}){1000}", "(((a{30}){30}){30}){30}"
    };
    static final String[] NO_MEDIA = {"json", "a/", "/b", "*/json", "a/b/c", "a b/c", CR_LF};
    static final String[] NO_METHOD = {"get", "GTE", "POTS"};

    private BadTexts() {}
}
