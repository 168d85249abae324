import { t } from '@/locales';

/** Whoever changes something with the admin token of the settings, as the control plane records it. */
const ADMIN_TOKEN = 'settings:admin-token';

/** Returns how people call a user or token that the control plane names. */
export function whoOf(name: string): string {
  return name === ADMIN_TOKEN ? t('Admin token') : name;
}

/** Returns who is meant by what was typed into a filter. */
export function whoIn(typed: string | undefined): string | undefined {
  return typed?.trim().toLowerCase() === t('Admin token').toLowerCase() ? ADMIN_TOKEN : typed;
}
