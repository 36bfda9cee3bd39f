/** Region and vertical of the console, and its quick view (console §2, §4, §7); names and paths are the specification's. */
import { z } from 'zod';
import { permissionView, regionView, verticalView } from './session.ts';

const idText = z.string().max(100);
const slugText = z.string().max(200);

/** POST /api/reporting/change-root-vertical. */
export const changeRootVerticalBody = z.object({ verticalId: idText, regionId: idText });
export const changeRootVerticalAnswer = z.object({
  /** As at the sign-in, but `pageStatePermission` is that of the chosen vertical alone. */
  permissionObj: permissionView,
  verticalPrimaryField: z.string(),
  regionId: z.string(),
  verticalId: z.string(),
  /** Names this change; a new one each time. */
  guid: z.string(),
});
export type ChangeRootVerticalAnswer = z.infer<typeof changeRootVerticalAnswer>;

/** POST /api/reporting/get-Regions and get-verticals. */
export const regionsAnswer = z.object({ status: z.literal(true), regions: z.array(regionView) });
export const verticalsAnswer = z.object({ status: z.literal(true), verticals: z.array(verticalView) });

/** Console §2: 1 goes to a screen, 2 goes to a URL, 3 opens the add-vertical modal. */
export const QUICK_VIEW_TYPE = { screen: 1, url: 2, addVertical: 3 } as const;

export const quickViewIcon = z.enum([
  'page',
  'overview',
  'leads',
  'settings',
  'lock',
  'people',
  'book',
  'plus',
  'person',
  'team',
  'leave',
  'record',
]);
export type QuickViewIcon = z.infer<typeof quickViewIcon>;

export const quickViewAction = z.object({
  type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  id: z.string(),
  icon: quickViewIcon,
  name: z.string(),
  /** Type 1: the route, below region and vertical where `params` holds both slugs. Type 2: the URL. Type 3: empty. */
  URLName: z.string(),
  params: z.object({ slugR: z.string().optional(), slugV: z.string().optional(), regionId: z.string().optional() }),
});
export type QuickViewAction = z.infer<typeof quickViewAction>;

/** POST /api/v1/quick-view/get-actions; both ids are empty where no vertical is chosen. */
export const quickViewBody = z.object({
  ...{ regionId: idText, verticalId: idText, regionSlug: slugText, verticalSlug: slugText },
  /** Answered by the records of the place whose names hold it, instead of the actions. */
  search: z.string().max(200).optional(),
});
export const quickViewAnswer = z.object({ status: z.literal(true), actions: z.array(quickViewAction) });

/** GET /ampl/message/toastr-notification: `result` is the catalogue of message.ts as a JSON text. */
export const messagesAnswer = z.object({ status: z.literal(true), result: z.string() });
