import { Anchor, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from '@/features/overview/traffic-path.module.css';
import { capitalized, kinds, trafficKinds, type Kind } from '@/lib/kinds';
import { number, t } from '@/locales';

const questions: Readonly<Record<(typeof trafficKinds)[number], () => string>> = {
  'proxy-servers': () => t('Where does the request arrive?'),
  routers: () => t('For which host?'),
  routes: () => t('Which path and method?'),
  'proxy-passes': () => t('What happens to it?'),
  upstreams: () => t('Which nodes answer?'),
};

/** The kinds on the way of a request, each with how many there are. */
export function TrafficPath({ counts }: { counts: ReadonlyMap<Kind, number> }) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="traffic-path">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5" id="traffic-path">
          {t('Path of a request')}
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/route-test" />}>
          {t('Find the route of a URL or path')}
        </Anchor>
      </Group>
      <ol className={classes.path}>
        {trafficKinds.map((kind, index) => (
          <li key={kind} className={classes.step}>
            {index > 0 && <IconArrowRight size={18} className={classes.arrow} aria-hidden />}
            <Link to="/$kind" params={{ kind }} className={classes.tile}>
              <CountText count={counts.get(kind)} />
              <span className={classes.kind}>{capitalized(kinds[kind].plural)}</span>
              <Text span size="xs" c="dimmed">
                {questions[kind]()}
              </Text>
            </Link>
          </li>
        ))}
      </ol>
    </Paper>
  );
}

function CountText({ count }: { count: number | undefined }) {
  return count === undefined ? (
    <Skeleton height={28} width={32} my={4} />
  ) : (
    <span className={classes.count}>{number(count)}</span>
  );
}
