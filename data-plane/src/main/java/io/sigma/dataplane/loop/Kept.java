package io.sigma.dataplane.loop;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field of an object that is used again ({@code again()}) and that keeps its value from one use to the next. Every other field
 * that changes has to be set anew, so that nothing of one client's request is left for the next; a test looks for forgotten ones.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface Kept {

    /** Why it may be kept. */
    String value();
}
