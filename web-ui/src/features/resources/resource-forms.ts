import type { FormSpec } from '@/components/form/field-types';
import { consumerForm } from '@/features/resources/forms/consumer-form';
import { certificateForm } from '@/features/resources/forms/certificate-form';
import { proxyPassForm } from '@/features/resources/forms/proxy-pass-form';
import { proxyServerForm } from '@/features/resources/forms/proxy-server-form';
import { routeForm } from '@/features/resources/forms/route-form';
import { routerForm } from '@/features/resources/forms/router-form';
import { upstreamForm } from '@/features/resources/forms/upstream-form';
import type { Kind } from '@/lib/kinds';

export const resourceForms: Readonly<Record<Kind, FormSpec>> = {
  'proxy-servers': proxyServerForm,
  routers: routerForm,
  routes: routeForm,
  'proxy-passes': proxyPassForm,
  upstreams: upstreamForm,
  certificates: certificateForm,
  consumers: consumerForm,
};
