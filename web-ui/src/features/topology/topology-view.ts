import { keyOf, lanes } from '@/lib/topology';

/** What of the topology is shown, as the address of the page says. */
export interface TopologyView {
  /** A lane and an id, such as `routes/cart`. */
  readonly at?: string;
  readonly q?: string;
  /** Only what fails. */
  readonly failing?: true;
}

/** Returns the key of the stop that is chosen. */
export function keyAt({ at }: TopologyView): string | undefined {
  const slash = at?.indexOf('/') ?? -1;
  const lane = lanes.find((one) => one === at?.slice(0, slash));
  return lane === undefined ? undefined : keyOf(lane, at?.slice(slash + 1) ?? '');
}

export function atOf(key: string | undefined): string | undefined {
  return key?.replace(' ', '/');
}
