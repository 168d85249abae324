package io.sigma.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one component of a settings record. The component {@code adminPort} is the key {@code adminPort} in the
 * file and the variable {@code SIGMA_ADMIN_PORT}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

    /** Value of {@link #defaultValue()} for a setting that may be absent; the component is then null. */
    String ABSENT = "\u0000absent";

    /** Returns the meaning of the setting with its unit, for the reference page. */
    String value();

    /** The default as it would be written in a variable. */
    String defaultValue() default ABSENT;

    /** Smallest number allowed. */
    long min() default Long.MIN_VALUE;

    /** Largest number allowed. */
    long max() default Long.MAX_VALUE;

    /** True if the value is printed as {@code [redacted]}. */
    boolean secret() default false;
}
