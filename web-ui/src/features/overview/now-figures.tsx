import { useQuery } from '@tanstack/react-query';
import { FigureTiles } from '@/components/figure-tiles';
import { Sparkline } from '@/components/sparkline';
import { getTraffic, isReported, TRAFFIC_POLL_MILLIS } from '@/lib/api/get-traffic';
import { listGateways } from '@/lib/api/list-gateways';
import { millis, percent, short } from '@/lib/figures';
import { useFallBackInterval } from '@/lib/liveness';
import { t } from '@/locales';

/** What counts as now, in slots of five seconds: one alone jumps. */
const NOW_SLOTS = 6;
/** A quarter of an hour. */
const SHOWN_SLOTS = 180;

/** Four figures that say how things go, the first two with the last quarter of an hour. */
export function NowFigures() {
  const traffic = useQuery({
    ...getTraffic({}, 'hour'),
    refetchInterval: useFallBackInterval(TRAFFIC_POLL_MILLIS.hour),
  }).data;
  const gateways = useQuery(listGateways).data;
  const recent = traffic?.slots.slice(-SHOWN_SLOTS) ?? [];
  const now = recent.filter(isReported).slice(-NOW_SLOTS);
  const sum = (slots: typeof now, figure: (slot: (typeof now)[number]) => number) =>
    slots.reduce((before, slot) => before + figure(slot), 0);
  const failuresOf = ({ figures }: (typeof now)[number]) => figures.status5xx + figures.unanswered;
  const quarter = recent.filter(isReported);
  const requests = sum(quarter, ({ figures }) => figures.requests);
  const failed = sum(quarter, failuresOf);
  const current = gateways?.filter(({ state }) => state === 'CURRENT').length ?? 0;
  const tiles = [
    {
      name: t('Requests per second'),
      value:
        now.length === 0 || traffic === undefined
          ? '–'
          : short(sum(now, ({ figures }) => figures.requests) / (now.length * traffic.slotSeconds)),
      more: t('last half minute'),
      picture: <Sparkline values={recent.map((slot) => slot.figures?.perSecond)} bad={false} />,
    },
    {
      name: t('Failed'),
      value: traffic === undefined ? '–' : percent(failed, requests),
      more: t('{failed} of {requests} in 15 minutes', { failed: short(failed), requests: short(requests) }),
      bad: failed > 0,
      picture: (
        <Sparkline
          values={recent.map((slot) => (isReported(slot) ? failuresOf(slot) : undefined))}
          bad={failed > 0}
        />
      ),
    },
    {
      name: 'p95',
      value: traffic === undefined || traffic.total.requests === 0 ? '–' : millis(traffic.total.p95Millis),
      more: t('95 % of the last hour were faster'),
    },
    {
      name: t('Gateways'),
      value: gateways === undefined ? '–' : t('{part} of {all}', { part: current, all: gateways.length }),
      more: t('serve the newest revision'),
      bad: gateways !== undefined && current < gateways.length,
    },
  ];
  return <FigureTiles tiles={tiles} cols={{ base: 2, lg: 4 }} />;
}
