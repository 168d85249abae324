import { notFound } from '@tanstack/react-router';
import { isKind, kinds, type Kind } from '@/lib/kinds';

/** Shows that there is no such page where `segment` of a path names no kind. */
export function refuseUnknown(segment: string): void {
  if (!isKind(segment)) {
    throw notFound();
  }
}

/** Returns the kind that a segment of a path names, once it is known that it names one. */
export function kindFrom(segment: string): Kind {
  if (!isKind(segment)) {
    throw new Error(`kind: ${segment} (expected: one of ${Object.keys(kinds).join(', ')})`);
  }
  return segment;
}
