package io.sigma.check;

/** The use of a file or folder that the configuration names: {@code x-gateway-path} in the contract. */
public enum PathUse {
    /** Sends what is there to clients. */
    SERVED("servedFolders"),
    /** Writes lines to it. */
    LOGGED("logFolders"),
    /** Reads it: certificates, keys, secrets. */
    READ("readFolders");

    private final String setting;

    PathUse(String setting) {
        this.setting = setting;
    }

    /** Returns the setting of a gateway that names the folders for it. */
    public String setting() {
        return setting;
    }
}
