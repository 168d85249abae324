package io.sigma.controlplane.search;

import io.sigma.model.SearchField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern METHOD = Pattern.compile("GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS");
    private static final Pattern VERSION = Pattern.compile("HTTP/[0-9.]+");
    private static final Pattern PORT = Pattern.compile("([0-9]{1,5})");

    /** A scheme, a host, a port and a target. Only the host is always there; it may be a name, or an address. */
    private static final Pattern ADDRESS = Pattern.compile(
            "(?:([a-z][a-z0-9+.-]*)://)?(?:[^/?#@\\s]*@)?"
                    + "(\\[[0-9a-f:.]+]|[^/?#:\\s\\[\\]=]*)(?::([0-9]{1,5}))?([/?#].*)?",
            Pattern.CASE_INSENSITIVE);

    public SearchQuery {
        terms = List.copyOf(terms);
    }

    /**
     * Returns what {@code text} asks for: words between spaces; only the first 8 count. {@code field:text} is looked
     * for in that field. A URL, or a host with a path behind it, is a host and a path. A method before a path is that
     * of a request.
     */
    public static SearchQuery parse(String text) {
        List<SearchTerm> terms = new ArrayList<>();
        List<String> words = List.of(text.strip().split("\\s+", -1));
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            if (METHOD.matcher(word).matches() && next.indexOf('/') >= 0) {
                terms.add(SearchTerm.method(word));
            } else if (word.equalsIgnoreCase("port") && PORT.matcher(next).matches()) {
                terms.add(SearchTerm.site(":" + next, "", Integer.parseInt(next)));
                i++;
            } else if (i == 0 || !VERSION.matcher(word).matches()) {
                add(word, terms);
            }
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
        if (word.startsWith("/") && !word.startsWith("//")) {
            terms.add(SearchTerm.path(path(word)));
            return;
        }
        Matcher address = ADDRESS.matcher(word.startsWith("//") ? word.substring(2) : word);
        if (!address.matches()) {
            terms.add(SearchTerm.text(word));
            return;
        }
        String host = address.group(2);
        boolean scheme = address.group(1) != null && !host.isEmpty();
        int port = address.group(3) == null ? 0 : Integer.parseInt(address.group(3));
        String target = address.group(4);
        if (target != null && target.startsWith("/") && (scheme || port > 0 || host.indexOf('.') > 0)) {
            // The path first, as most resources fail there and a host costs more to look for.
            terms.add(SearchTerm.path(path(target)));
            terms.add(SearchTerm.host(host));
        } else if (target == null && (scheme || port > 0 || host.indexOf('.') > 0)) {
            // Without the scheme, which people guess.
            terms.add(SearchTerm.site(address.group(3) == null ? host : host + ":" + port, host, port));
        } else {
            terms.add(word.startsWith("/") ? SearchTerm.path(path(word)) : SearchTerm.text(word));
        }
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
