import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';

// Each page comes when somebody goes there. Login and overview are in the first load.

export const AnalysisPage = lazyRouteComponent(
  () => import('@/features/analysis/analysis-page'),
  'AnalysisPage',
);
export const AuditPage = lazyRouteComponent(() => import('@/features/audit/audit-page'), 'AuditPage');
export const CreatePage = lazyRouteComponent(() => import('@/features/resources/create-page'), 'CreatePage');
export const ExposePage = lazyRouteComponent(() => import('@/features/expose/expose-page'), 'ExposePage');
export const GatewayConnectionsPage = lazyRouteComponent(
  () => import('@/features/gateways/gateway-connections-page'),
  'GatewayConnectionsPage',
);
export const GatewaysPage = lazyRouteComponent(
  () => import('@/features/gateways/gateways-page'),
  'GatewaysPage',
);
export const ImportPage = lazyRouteComponent(() => import('@/features/import/import-page'), 'ImportPage');
export const RequestsPage = lazyRouteComponent(
  () => import('@/features/requests/requests-page'),
  'RequestsPage',
);
export const ResourceListPage = lazyRouteComponent(
  () => import('@/features/resources/resource-list-page'),
  'ResourceListPage',
);
export const ResourcePage = lazyRouteComponent(
  () => import('@/features/resources/resource-page'),
  'ResourcePage',
);
export const RevisionPage = lazyRouteComponent(
  () => import('@/features/revisions/revision-page'),
  'RevisionPage',
);
export const RevisionsPage = lazyRouteComponent(
  () => import('@/features/revisions/revisions-page'),
  'RevisionsPage',
);
export const RouteTestPage = lazyRouteComponent(
  () => import('@/features/route-test/route-test-page'),
  'RouteTestPage',
);
export const StagedPage = lazyRouteComponent(() => import('@/features/staged/staged-page'), 'StagedPage');
export const TokensPage = lazyRouteComponent(() => import('@/features/access/tokens-page'), 'TokensPage');
export const TopologyPage = lazyRouteComponent(
  () => import('@/features/topology/topology-page'),
  'TopologyPage',
);
export const TrafficPage = lazyRouteComponent(() => import('@/features/traffic/traffic-page'), 'TrafficPage');
export const UpstreamHealthPage = lazyRouteComponent(
  () => import('@/features/resources/upstream-health-page'),
  'UpstreamHealthPage',
);
export const UsersPage = lazyRouteComponent(() => import('@/features/access/users-page'), 'UsersPage');

/**
 * Has the router load `page` before it goes to the route that shows it. Else the route would wait for the page on the
 * screen, with nothing to show.
 */
export function showing(page: Pick<RouteComponent, 'preload'>, route: RouteComponent): RouteComponent {
  return Object.assign(route, { preload: async () => page.preload?.() });
}
