package io.sigma.controlplane.search;

import io.sigma.model.SearchField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A search: all of its terms must match. Immutable.
 *
 * @param terms at least one
 */
public record SearchQuery(List<SearchTerm> terms) {

    /** Each costs a look at every resource. */
    private static final int TERMS_MAX = 8;

    private static final Map<String, SearchField> FIELDS = Arrays.stream(SearchField.values())
            .collect(Collectors.toUnmodifiableMap(field -> field.name().toLowerCase(Locale.ROOT), field -> field));

    public SearchQuery {
        terms = List.copyOf(terms);
    }

    /**
     * Returns what {@code text} asks for: words between spaces; only the first 8 count. {@code field:text} is looked
     * for in that field; a URL, or a host with a path behind it, is a host and a path.
     */
    public static SearchQuery parse(String text) {
        List<SearchTerm> terms = new ArrayList<>();
        for (String word : text.strip().split("\\s+", -1)) {
            add(word, terms);
        }
        return new SearchQuery(terms.subList(0, Math.min(terms.size(), TERMS_MAX)));
    }

    private static void add(String word, List<SearchTerm> terms) {
        int colon = word.indexOf(':');
        SearchField field =
                colon < 0 ? null : FIELDS.get(word.substring(0, colon).toLowerCase(Locale.ROOT));
        if (field != null && colon + 1 < word.length()) {
            terms.add(SearchTerm.field(field, word.substring(colon + 1)));
            return;
        }
        int scheme = word.indexOf("://");
        String rest = scheme < 0 ? word : word.substring(scheme + 3);
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        boolean request = scheme > 0 ? slash > 0 : slash > 0 && authority.indexOf('.') > 0;
        if (!request) {
            // A node is found by its whole URL, a host by itself, a path by itself.
            terms.add(SearchTerm.text(word));
            return;
        }
        // The path first, as most resources fail there and a host costs more to look for.
        terms.add(SearchTerm.text(path(rest.substring(slash))));
        terms.add(SearchTerm.host(withoutPort(authority)));
    }

    private static String withoutPort(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }

    private static String path(String target) {
        int end = target.length();
        for (char mark : new char[] {'?', '#'}) {
            int at = target.indexOf(mark);
            end = at < 0 ? end : Math.min(end, at);
        }
        return target.substring(0, end);
    }
}
