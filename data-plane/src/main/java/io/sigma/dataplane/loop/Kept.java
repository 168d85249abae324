package io.sigma.dataplane.loop;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field that keeps its value when its object is used again ({@code again()}). Every other field that changes
 * has to be set there, so that no request sees anything of the request before. A test finds fields that were forgotten.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface Kept {

    /** Why it may be kept. */
    String value();
}
