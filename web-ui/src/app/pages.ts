import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { loadContract } from '@/locales/contract';

// Each page comes when somebody goes there. Login and overview are in the first load.

export const AnalysisPage = page(() => import('@/features/analysis/analysis-page'), 'AnalysisPage');
export const AuditPage = page(() => import('@/features/audit/audit-page'), 'AuditPage');
export const CreatePage = page(() => import('@/features/resources/create-page'), 'CreatePage');
export const ExposePage = page(() => import('@/features/expose/expose-page'), 'ExposePage');
export const GatewayConnectionsPage = page(
  () => import('@/features/gateways/gateway-connections-page'),
  'GatewayConnectionsPage',
);
export const GatewaysPage = page(() => import('@/features/gateways/gateways-page'), 'GatewaysPage');
export const ImportPage = page(() => import('@/features/import/import-page'), 'ImportPage');
export const RequestsPage = page(() => import('@/features/requests/requests-page'), 'RequestsPage');
export const ResourceListPage = page(
  () => import('@/features/resources/resource-list-page'),
  'ResourceListPage',
);
export const ResourcePage = page(() => import('@/features/resources/resource-page'), 'ResourcePage');
export const RevisionPage = page(() => import('@/features/revisions/revision-page'), 'RevisionPage');
export const RevisionsPage = page(() => import('@/features/revisions/revisions-page'), 'RevisionsPage');
export const RouteTestPage = page(() => import('@/features/route-test/route-test-page'), 'RouteTestPage');
export const StagedPage = page(() => import('@/features/staged/staged-page'), 'StagedPage');
export const TokensPage = page(() => import('@/features/access/tokens-page'), 'TokensPage');
export const TopologyPage = page(() => import('@/features/topology/topology-page'), 'TopologyPage');
export const TrafficPage = page(() => import('@/features/traffic/traffic-page'), 'TrafficPage');
export const UpstreamHealthPage = page(
  () => import('@/features/resources/upstream-health-page'),
  'UpstreamHealthPage',
);
export const UsersPage = page(() => import('@/features/access/users-page'), 'UsersPage');

/** The script of what finds everything. */
export const loadPalette = () => import('@/features/find/palette');

/** Loads the scripts of what people open next, one after the other, while the browser has nothing else to do. */
export function loadAhead(): void {
  const next: (() => unknown)[] = [
    () => ResourceListPage.preload?.(),
    loadPalette,
    () => ResourcePage.preload?.(),
    () => TopologyPage.preload?.(),
  ];
  const go = () => {
    const load = next.shift();
    if (load !== undefined) {
      // One that fails is loaded when it is needed, and fails there.
      void Promise.resolve(load()).then(soon, () => undefined);
    }
  };
  const soon = () => {
    // Some browsers never say when they are idle.
    if ('requestIdleCallback' in window) {
      window.requestIdleCallback(go);
    }
  };
  soon();
}

/** A page may show texts of the contract, also as constants of its modules. */
function page<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    await loadContract();
    return load();
  }, name);
}

/**
 * Has the router load `page` before it goes to the route that shows it. Else the route would wait for the page on the
 * screen, with nothing to show.
 */
export function showing(page: Pick<RouteComponent, 'preload'>, route: RouteComponent): RouteComponent {
  return Object.assign(route, { preload: async () => page.preload?.() });
}
