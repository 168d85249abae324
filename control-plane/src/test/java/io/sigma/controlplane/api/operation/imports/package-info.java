/** Imports of sigma.json and OpenAPI documents, by the admin API. Start at {@link OpenApiImportTest}. */
@NullMarked
package io.sigma.controlplane.api.operation.imports;

import org.jspecify.annotations.NullMarked;
