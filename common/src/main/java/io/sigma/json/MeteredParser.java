package io.sigma.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Tells what the tree of its tokens costs, but for the text in them, which is not larger than its source. */
class MeteredParser extends JsonParserDelegate {

    // Measured with 64-bit references, which are compressed: a map with its table, a list, an entry, a value.
    private static final int OBJECT_BYTES = 150;
    private static final int ARRAY_BYTES = 80;
    private static final int FIELD_BYTES = 64;
    private static final int VALUE_BYTES = 40;

    /** So often it is told. */
    private static final long STEP_BYTES = 16 * 1024;

    private final TreeCost cost;
    private long untold;

    MeteredParser(JsonParser parser, TreeCost cost) {
        super(parser);
        this.cost = cost;
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        untold += bytes(token);
        if (untold >= STEP_BYTES) {
            long told = untold;
            untold = 0;
            if (!cost.take(told)) {
                throw new TreeTooLarge();
            }
        }
        return token;
    }

    private static int bytes(@Nullable JsonToken token) {
        return switch (token) {
            case null -> 0;
            case START_OBJECT -> OBJECT_BYTES;
            case START_ARRAY -> ARRAY_BYTES;
            case FIELD_NAME -> FIELD_BYTES;
            case END_OBJECT, END_ARRAY -> 0;
            default -> VALUE_BYTES;
        };
    }
}
