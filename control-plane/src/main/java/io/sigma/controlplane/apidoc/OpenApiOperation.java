package io.sigma.controlplane.apidoc;

import io.sigma.model.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a document, as a route. Its {@link #endpoint} identifies it, whatever its {@code operationId}.
 *
 * @param name the base of the id of a new route
 * @param endpoint method and path as the document has them
 * @param pointer the JSON pointer to the operation in the document
 * @param methods the methods that the route takes; empty for all
 * @param path the pattern of the route
 * @param tags separated by commas; empty when there are none
 */
public record OpenApiOperation(
        String name,
        String endpoint,
        String pointer,
        List<String> methods,
        String path,
        @Nullable String summary,
        @Nullable String description,
        String operationId,
        String tags) {

    public OpenApiOperation {
        methods = List.copyOf(methods);
    }

    /** Returns what tells the requests of this operation from those of others. */
    public String requests() {
        return methods + " " + PathTemplate.shape(path);
    }

    /** Returns the requests that a route takes, as {@link #requests()} does. */
    public static String requests(Route route) {
        return route.methods() + " " + PathTemplate.shape(route.path());
    }

    /** Returns {@code endpoint} so that those which differ only by names of parameters are equal. */
    public static String identity(String endpoint) {
        int space = endpoint.indexOf(' ');
        String shape = space < 0 ? null : PathTemplate.shapeOf(endpoint.substring(space + 1));
        return shape == null ? endpoint : endpoint.substring(0, space) + " " + shape;
    }
}
