package io.sigma.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Writes the bill of materials of the distribution (CycloneDX): the libraries of the programs, as a plugin of the build
 * lists them, and the packages of the dashboard by its lock file. The build runs it.
 */
final class SbomMerge {

    private static final String FOLDER = "node_modules/";
    private static final String SHA_512 = "sha512-";

    private SbomMerge() {}

    /**
     * @param args the bill of the libraries, the lock file of the dashboard, and the file to write
     */
    public static void main(String[] args) throws IOException {
        Path libraries = Path.of(args[0]);
        if (!Files.exists(libraries)) {
            throw new IOException(
                    libraries
                            + " is not there: the build lists the libraries in it, which takes the network once (expected:"
                            + " run ./mvnw -DskipTests package -pl deploy/cli -am, or make dist, without -o first; then -o does)");
        }
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode bill = (ObjectNode) mapper.readTree(Files.readString(Path.of(args[0])));
        JsonNode lock = mapper.readTree(Files.readString(Path.of(args[1])));
        ArrayNode components = bill.withArrayProperty("components");
        lock.path("packages").properties().forEach(entry -> {
            JsonNode version = entry.getValue();
            boolean shipped = !version.path("dev").asBoolean()
                    && !version.path("devOptional").asBoolean();
            int name = entry.getKey().lastIndexOf(FOLDER);
            if (shipped && name >= 0) {
                describe(components.addObject(), entry.getKey().substring(name + FOLDER.length()), version);
            }
        });
        Files.writeString(
                Path.of(args[2]), mapper.writerWithDefaultPrettyPrinter().writeValueAsString(bill) + "\n");
    }

    private static void describe(ObjectNode component, String name, JsonNode locked) {
        String version = locked.path("version").asText();
        String purl = "pkg:npm/" + name.replace("@", "%40") + "@" + version;
        component.put("type", "library").put("bom-ref", purl).put("name", name).put("version", version);
        component.put("purl", purl);
        if (locked.has("license")) {
            component
                    .putArray("licenses")
                    .addObject()
                    .put("expression", locked.path("license").asText());
        }
        String integrity = locked.path("integrity").asText("");
        if (integrity.startsWith(SHA_512)) {
            byte[] hash = Base64.getDecoder().decode(integrity.substring(SHA_512.length()));
            component
                    .putArray("hashes")
                    .addObject()
                    .put("alg", "SHA-512")
                    .put("content", HexFormat.of().formatHex(hash));
        }
    }
}
