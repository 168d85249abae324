package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.Sessions;
import io.sigma.controlplane.access.Sessions.Begun;
import io.sigma.controlplane.api.contract.ApiNames;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Client;
import io.sigma.controlplane.api.request.KnownAddresses;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.failure.Failure;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.port.FailureLimiter;
import io.sigma.model.Credential;
import io.sigma.model.Login;
import io.sigma.model.PasswordChange;
import io.sigma.value.Mismatch;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Logging in and out, and the own password. Confined to the server's verticle. */
final class SessionOperations {

    private static final String WRONG = "User or password is wrong.";

    private final Contract contract;
    private final Sessions sessions;
    private final FailureLimiter ofAddress;
    private final FailureLimiter ofUser;
    private final FailureLimiter history;
    private final KnownAddresses known;
    private final LoginQueue queue = new LoginQueue();

    /**
     * @param ofAddress wrong passwords of an address, for any user
     * @param ofUser wrong passwords for a user, from one address: from elsewhere nobody can keep the user out
     * @param history tries of an address that were not right, or for which there was no room: who has fewer comes first
     * @param known where right passwords are noted
     */
    SessionOperations(
            Contract contract,
            Sessions sessions,
            FailureLimiter ofAddress,
            FailureLimiter ofUser,
            FailureLimiter history,
            KnownAddresses known) {
        this.contract = contract;
        this.sessions = sessions;
        this.ofAddress = ofAddress;
        this.ofUser = ofUser;
        this.history = history;
        this.known = known;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("getSession", call -> Answer.ok(call.who().account()));
        handlers.put("logIn", this::logIn);
        handlers.put("logOut", this::logOut);
        handlers.put("changeOwnPassword", this::changePassword);
    }

    private Answer logIn(ApiCall call) {
        Login login = call.body(contract, Login.class);
        Client client = call.client();
        Begun begun = limited(
                        client.block(),
                        login.name(),
                        () -> sessions.logIn(login.name(), login.password(), client.address()))
                .orElseThrow(() -> wrong(login.name()));
        return begun(begun, call);
    }

    private Answer changePassword(ApiCall call) {
        if (call.who().credential() != Credential.SESSION) {
            throw new FailureException(new Failure.Forbidden("A token has no password (expected: a session)"));
        }
        PasswordChange change = call.body(contract, PasswordChange.class);
        if (change.currentPassword().equals(change.newPassword())) {
            throw FailureException.invalid(
                    "/newPassword", Mismatch.of("[redacted]", "a password that differs from the earlier one"));
        }
        Begun begun = limited(
                        call.client().block(),
                        call.who().name(),
                        () -> sessions.changePassword(change.currentPassword(), change.newPassword(), call.write()))
                .orElseThrow(() -> FailureException.invalid(
                        "/currentPassword", Mismatch.of("[redacted]", "the current password")));
        return begun(begun, call);
    }

    /** A try is counted before it is made, so that many at once do not get further than one after the other. */
    private Optional<Begun> limited(String block, String name, Supplier<Optional<Begun>> work) {
        String user = block + " " + name;
        long wait = Math.max(ofAddress.waitSeconds(block), ofUser.waitSeconds(user));
        if (wait > 0) {
            throw new FailureException(
                    new Failure.TooManyRequests("Too many wrong passwords from this address.", wait));
        }
        ofAddress.failed(block);
        ofUser.failed(user);
        boolean wrong = false;
        try {
            Optional<Begun> begun = inTurn(block, work);
            wrong = begun.isEmpty();
            return begun;
        } finally {
            if (!wrong) {
                ofAddress.forgiven(block);
                ofUser.forgiven(user);
            }
        }
    }

    /** Whoever has no room comes later the next time, and is not kept out: nobody knows that the password is wrong. */
    private Optional<Begun> inTurn(String block, Supplier<Optional<Begun>> work) {
        int failures = history.failures(block);
        history.failed(block);
        queue.enter(block, known.contains(block), failures);
        try {
            Optional<Begun> begun = work.get();
            if (begun.isPresent()) {
                known.add(block);
                history.forgiven(block);
            }
            return begun;
        } finally {
            queue.leave();
        }
    }

    private FailureException wrong(String name) {
        // People type passwords into the wrong field: only the name of a user that exists is recorded.
        return new FailureException(new Failure.Unauthorized(WRONG, sessions.isUser(name) ? name : null));
    }

    private Answer logOut(ApiCall call) {
        String key = call.client().sessionKey();
        if (call.who().credential() != Credential.SESSION || key == null) {
            throw new FailureException(new Failure.Forbidden("A token cannot log out (expected: a session)"));
        }
        sessions.end(key, Boolean.parseBoolean(call.parameters().get("everywhere")), call.write());
        return Answer.empty(204).with("Set-Cookie", cookie("", call) + "; Max-Age=0");
    }

    private static Answer begun(Begun begun, ApiCall call) {
        return Answer.ok(begun.principal().account()).with("Set-Cookie", cookie(begun.key(), call));
    }

    /** Ends with the browser; the bounds of the session are the server's. */
    private static String cookie(String value, ApiCall call) {
        Client client = call.client();
        // The prefix {@code __Host-} of the name requires the path {@code /}.
        String path = client.secure() ? "/" : ApiNames.BASE_PATH;
        String secure = client.secure() ? "; Secure" : "";
        return client.cookie() + "=" + value + "; Path=" + path + "; HttpOnly; SameSite=Strict" + secure;
    }
}
