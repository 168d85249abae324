package io.sigma.value;

import java.io.IOException;

/** Nothing was sent: it would have been connected to where it may not. The message says where and why. */
public final class AddressRefused extends IOException {

    private static final long serialVersionUID = 1L;

    AddressRefused(String message) {
        super(message);
    }
}
