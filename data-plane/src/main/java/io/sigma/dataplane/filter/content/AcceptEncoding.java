package io.sigma.dataplane.filter.content;

import java.util.List;

/** Reads the codings that a client accepts (RFC 9110 §12.5.3). {@code x-gzip} means gzip (§8.4.1.3). Pure. */
final class AcceptEncoding {

    private AcceptEncoding() {}

    /** Returns the weight of {@code coding} in thousandths: 0 when it is not acceptable. */
    static int weight(List<String> fields, String coding) {
        int any = 0;
        for (String field : fields) {
            for (String item : field.split(",", -1)) {
                int semicolon = item.indexOf(';');
                String name = (semicolon < 0 ? item : item.substring(0, semicolon)).strip();
                if (name.equalsIgnoreCase(coding) || (coding.equals("gzip") && name.equalsIgnoreCase("x-gzip"))) {
                    return semicolon < 0 ? 1000 : quality(item.substring(semicolon + 1));
                }
                if (name.equals("*")) {
                    any = semicolon < 0 ? 1000 : quality(item.substring(semicolon + 1));
                }
            }
        }
        return any;
    }

    /** Returns the thousandths of {@code q=0.8}, which other parameters may precede; 0 for what is no weight. */
    private static int quality(String parameters) {
        for (String parameter : parameters.split(";", -1)) {
            String text = parameter.strip();
            if (text.regionMatches(true, 0, "q=", 0, 2)) {
                return thousandths(text);
            }
        }
        return 1000;
    }

    private static int thousandths(String text) {
        try {
            double weight = Double.parseDouble(text.substring(2).strip());
            return weight >= 0 && weight <= 1 ? (int) Math.round(weight * 1000) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
