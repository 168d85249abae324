package io.sigma.dataplane.match;

/** In which form a rule compares paths. */
enum PathForm {
    /** Without parameters and empty segments. */
    MERGED,
    /** Without parameters. */
    UNMERGED,
    /** Without empty segments, for a rule that names a parameter itself. */
    MERGED_WITH_PARAMETERS,
    /** As it is, for a rule that names a parameter itself. */
    UNMERGED_WITH_PARAMETERS;

    static PathForm of(boolean mergesSlashes, boolean parameters) {
        if (parameters) {
            return mergesSlashes ? MERGED_WITH_PARAMETERS : UNMERGED_WITH_PARAMETERS;
        }
        return mergesSlashes ? MERGED : UNMERGED;
    }
}
