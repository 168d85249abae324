package io.sigma.controlplane.api.operation;

import io.sigma.controlplane.access.ApiTokens;
import io.sigma.controlplane.access.Users;
import io.sigma.controlplane.api.contract.Contract;
import io.sigma.controlplane.api.request.Answer;
import io.sigma.controlplane.api.request.ApiCall;
import io.sigma.controlplane.api.request.Cursors;
import io.sigma.controlplane.api.request.OperationHandler;
import io.sigma.controlplane.failure.FailureException;
import io.sigma.controlplane.store.database.Page;
import io.sigma.model.ApiToken;
import io.sigma.model.ApiTokenCreated;
import io.sigma.model.ApiTokenList;
import io.sigma.model.NewApiToken;
import io.sigma.model.NewUser;
import io.sigma.model.Role;
import io.sigma.model.User;
import io.sigma.model.UserList;
import io.sigma.model.UserPatch;
import io.sigma.value.Mismatch;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Users and API tokens, for admins. */
final class AccountOperations {

    private final Contract contract;
    private final Users users;
    private final ApiTokens tokens;

    AccountOperations(Contract contract, Users users, ApiTokens tokens) {
        this.contract = contract;
        this.users = users;
        this.tokens = tokens;
    }

    /** Adds the handlers by operation id. */
    void addTo(Map<String, OperationHandler> handlers) {
        handlers.put("listUsers", this::listUsers);
        handlers.put("createUser", this::createUser);
        handlers.put("getUser", call -> Answer.ok(users.get(name(call))));
        handlers.put(
                "patchUser",
                call -> Answer.ok(users.patch(name(call), call.body(contract, UserPatch.class), call.write())));
        handlers.put("deleteUser", this::deleteUser);
        handlers.put("listApiTokens", this::listTokens);
        handlers.put("createApiToken", this::createToken);
        handlers.put("getApiToken", call -> Answer.ok(tokens.get(name(call))));
        handlers.put("deleteApiToken", this::deleteToken);
    }

    private static String name(ApiCall call) {
        return call.parameters().required("name");
    }

    private Answer listUsers(ApiCall call) {
        Page<String, User> page = users.page(
                Cursors.name(call.parameters().get("cursor")), call.parameters().limit());
        return Answer.ok(new UserList(page.items(), Cursors.of(page.last())));
    }

    private Answer createUser(ApiCall call) {
        User made = users.create(call.body(contract, NewUser.class), call.write());
        return Answer.created(made, "/users/" + made.name());
    }

    private Answer deleteUser(ApiCall call) {
        users.delete(name(call), call.write());
        return Answer.empty(204);
    }

    private Answer listTokens(ApiCall call) {
        Page<String, ApiToken> page = tokens.page(
                Cursors.name(call.parameters().get("cursor")), call.parameters().limit());
        return Answer.ok(new ApiTokenList(page.items(), Cursors.of(page.last())));
    }

    private Answer createToken(ApiCall call) {
        NewApiToken wanted = call.body(contract, NewApiToken.class);
        if (wanted.role() == Role.ADMIN
                && !(wanted.kinds().isEmpty() && wanted.labels().isEmpty())) {
            // It could make itself one that is not restricted.
            throw FailureException.invalid(
                    "/role", Mismatch.of("\"ADMIN\"", "VIEWER or EDITOR for a token with kinds or labels"));
        }
        ApiTokenCreated made = tokens.create(wanted, expiry(wanted.expiresAt()), call.write());
        return Answer.created(made, "/tokens/" + wanted.name());
    }

    private static @Nullable Instant expiry(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            Instant expiry = OffsetDateTime.parse(text).toInstant();
            if (expiry.isAfter(Instant.now())) {
                return expiry;
            }
        } catch (DateTimeException e) {
            // Said below.
        }
        throw FailureException.invalid("/expiresAt", Mismatch.quoted(text, "a time in the future"));
    }

    private Answer deleteToken(ApiCall call) {
        tokens.delete(name(call), call.write());
        return Answer.empty(204);
    }
}
