import { useQuery } from '@tanstack/react-query';
import type { Plugins } from '#client';
import { textOf, type Draft } from '@/components/form/draft';
import { getResource } from '@/lib/api/get-resource';
import type { Kind } from '@/lib/kinds';

/** A less specific level that configures a plugin. */
export interface InheritedPlugin {
  readonly kind: Kind;
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Returns the plugins that the levels before set, by their names; of several levels the most specific one holds. The levels are
 * those that the form names now.
 */
export function useInheritedPlugins(draft: Draft): ReadonlyMap<string, InheritedPlugin> {
  const routerId = textOf(draft.routerId);
  const router = useQuery({ ...getResource('routers', routerId), enabled: routerId !== '' }).data?.value;
  const serverId = router?.proxyServerId ?? textOf(draft.proxyServerId);
  const server = useQuery({ ...getResource('proxy-servers', serverId), enabled: serverId !== '' }).data
    ?.value;
  return new Map([
    ...inherited('proxy-servers', serverId, server?.plugins),
    ...inherited('routers', routerId, router?.plugins),
  ]);
}

function inherited(
  kind: Kind,
  id: string,
  plugins: Plugins | undefined,
): readonly (readonly [string, InheritedPlugin])[] {
  return Object.entries(plugins ?? {}).map(([name, config]) => [
    name,
    { kind, id, config: config as Readonly<Record<string, unknown>> },
  ]);
}
