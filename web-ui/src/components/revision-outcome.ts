import type { GatewayAnswer, GatewayVote, RevisionResult } from '#client';

export interface RevisionOutcome {
  readonly summary: string;
  /** One line for each gateway that did not acknowledge. */
  readonly trouble: readonly string[];
  /** One line for each gateway that did not say beforehand that it can serve this. */
  readonly doubts: readonly string[];
  /** One line for each finding since this revision. The page of the analysis shows what is only unfinished. */
  readonly findings: readonly string[];
}

export function revisionOutcome(revision: RevisionResult): RevisionOutcome {
  const findings = (revision.findings ?? [])
    .filter(({ severity }) => severity !== 'INFO')
    .map(({ id, detail }) => `${id}: ${detail}`);
  return {
    ...reception(revision),
    doubts: doubtsOf(revision),
    findings: revision.analysed === false ? [...findings, NOT_ANALYSED] : findings,
  };
}

export const NOT_ANALYSED = 'The analysis did not finish in time. Its page shows the findings.';

/** Returns a line for each gateway that did not say that it can serve this. */
export function doubtsOf({ votes = [] }: Pick<RevisionResult, 'votes'>): readonly string[] {
  return votes.filter(({ vote }) => vote !== 'ACCEPT').map(doubtOf);
}

function doubtOf({ gatewayId, vote, reason }: GatewayVote): string {
  const why = reason === undefined ? '.' : `: ${reason}`;
  return vote === 'REFUSE'
    ? `Gateway ${gatewayId} cannot serve this${why}`
    : `Gateway ${gatewayId} ${vote === 'SILENT' ? 'did not answer' : 'could not tell'} whether it can serve this${why}`;
}

function reception({
  number,
  changed,
  gateways = [],
}: RevisionResult): Pick<RevisionOutcome, 'summary' | 'trouble'> {
  if (changed === false) {
    return { summary: `Nothing changed; the revision is still ${number}.`, trouble: [] };
  }
  if (gateways.length === 0) {
    return { summary: `Revision ${number}. No gateway is connected.`, trouble: [] };
  }
  const acknowledged = gateways.filter(({ answer }) => answer === 'ACK');
  const slowest = Math.max(0, ...acknowledged.map(({ millis }) => millis ?? 0));
  const time = acknowledged.length > 0 ? ` in ${slowest} ms` : '';
  return {
    summary: `Revision ${number}, acknowledged by ${acknowledged.length} of ${gateways.length} ${gateways.length === 1 ? 'gateway' : 'gateways'}${time}.`,
    trouble: gateways.filter(({ answer }) => answer !== 'ACK').map(troubleOf),
  };
}

function troubleOf({ gatewayId, answer, refusal }: GatewayAnswer): string {
  if (answer === 'PENDING') {
    return `${gatewayId} has not answered yet.`;
  }
  const where = refusal?.pointer === undefined ? '' : ` (${refusal.pointer})`;
  return `${gatewayId} refused it: ${refusal?.message ?? 'no reason given'}${where}`;
}
