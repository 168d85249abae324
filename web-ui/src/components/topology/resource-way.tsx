import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { TopologyDrawing } from '@/components/topology/topology-drawing';
import { useFlows } from '@/components/topology/use-flows';
import { connectedTo, cutTo, keyOf, topologyOf, type Lane, type Resourced } from '@/lib/topology';
import { t } from '@/locales';

const HEIGHT_MAX = 330;

interface ResourceWayProps {
  readonly lane: Lane;
  readonly id: string;
  readonly resources: Resourced;
  /** False if there are more ways than these. */
  readonly whole: boolean;
}

/** The ways of requests through one resource; each stop is a link. */
export function ResourceWay({ lane, id, resources, whole }: ResourceWayProps) {
  const topology = useMemo(() => {
    const all = topologyOf(resources);
    return cutTo(all, connectedTo(all, [keyOf(lane, id)]));
  }, [resources, lane, id]);
  const { flows, seconds } = useFlows(topology);
  return (
    <div>
      <TopologyDrawing
        topology={topology}
        flows={flows}
        seconds={seconds}
        selected={keyOf(lane, id)}
        heightMax={HEIGHT_MAX}
        label={t('Way of a request')}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {!whole && <>{t('The drawing shows only the first ways of its requests.')} </>}
        <Anchor
          size="xs"
          renderRoot={(props) => <Link {...props} to="/topology" search={{ at: `${lane}/${id}` }} />}
        >
          {whole ? t('Show it in the topology') : t('Show all of them in the topology')}
        </Anchor>
      </Text>
    </div>
  );
}
