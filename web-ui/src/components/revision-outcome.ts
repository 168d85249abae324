import type { GatewayAnswer, GatewayVote, RevisionResult } from '#client';
import { many, t } from '@/locales';
import { translateServer } from '@/locales/server';

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
    .map(({ id, detail }) => `${id}: ${translateServer(detail)}`);
  return {
    ...reception(revision),
    doubts: doubtsOf(revision),
    findings: revision.analysed === false ? [...findings, notAnalysed()] : findings,
  };
}

export function notAnalysed(): string {
  return t('The analysis did not finish in time. Its page shows the findings.');
}

/** Returns a line for each gateway that did not say that it can serve this. */
export function doubtsOf({ votes = [] }: Pick<RevisionResult, 'votes'>): readonly string[] {
  return votes.filter(({ vote }) => vote !== 'ACCEPT').map(doubtOf);
}

function doubtOf({ gatewayId, vote, reason }: GatewayVote): string {
  const text =
    vote === 'REFUSE'
      ? t('Gateway {id} cannot serve this', { id: gatewayId })
      : vote === 'SILENT'
        ? t('Gateway {id} did not answer whether it can serve this', { id: gatewayId })
        : t('Gateway {id} could not tell whether it can serve this', { id: gatewayId });
  return reason === undefined
    ? t('{sentence}.', { sentence: text })
    : t('{place}:', { place: text }) + ` ${translateServer(reason)}`;
}

function reception({
  number,
  changed,
  gateways = [],
}: RevisionResult): Pick<RevisionOutcome, 'summary' | 'trouble'> {
  if (changed === false) {
    return { summary: t('Nothing changed; the revision is still {number}.', { number }), trouble: [] };
  }
  if (gateways.length === 0) {
    return { summary: t('Revision {number}. No gateway is connected.', { number }), trouble: [] };
  }
  const acknowledged = gateways.filter(({ answer }) => answer === 'ACK');
  const slowest = Math.max(0, ...acknowledged.map(({ millis }) => millis ?? 0));
  const values = { number, part: acknowledged.length };
  return {
    summary:
      acknowledged.length === 0
        ? many(
            gateways.length,
            'Revision {number}, acknowledged by {part} of {count} gateway.',
            'Revision {number}, acknowledged by {part} of {count} gateways.',
            values,
          )
        : many(
            gateways.length,
            'Revision {number}, acknowledged by {part} of {count} gateway in {millis} ms.',
            'Revision {number}, acknowledged by {part} of {count} gateways in {millis} ms.',
            { ...values, millis: slowest },
          ),
    trouble: gateways.filter(({ answer }) => answer !== 'ACK').map(troubleOf),
  };
}

function troubleOf({ gatewayId, answer, refusal }: GatewayAnswer): string {
  if (answer === 'PENDING') {
    return t('{gatewayId} has not answered yet.', { gatewayId });
  }
  const where = refusal?.pointer === undefined ? '' : ` (${refusal.pointer})`;
  return t('{gatewayId} refused it: {reason}', {
    gatewayId,
    reason: `${refusal === undefined ? t('no reason given') : translateServer(refusal.message)}${where}`,
  });
}
