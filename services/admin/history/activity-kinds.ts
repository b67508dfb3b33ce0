import type { ActivityQuery } from '#contracts/admin/history'
import { labeledTypes, type EventType } from '#contracts/event-labels'
import { adminAccessEvents, type AdminAccessEvent } from '#contracts/events/admin-access'
import { exportApprovalEvents } from '#contracts/events/export-approval'

type ActivityKind = Exclude<ActivityQuery['kind'], 'all'>

/** A new event about administrators without a kind does not compile. */
const kindOfAccess: Readonly<Record<AdminAccessEvent['type'], ActivityKind>> = {
  AdminSignedIn: 'sign-ins',
  AdminSignInRefused: 'sign-ins',
  PasskeyCounterFellBack: 'sign-ins',
  AdminSignedOut: 'sign-ins',
  DataExported: 'exports',
  AuditRoomWritten: 'exports',
  ClientDataOpened: 'exports',
  PortalVisited: 'changes',
  DeadLetterRetried: 'changes',
  DeadLetterDiscarded: 'changes',
}

function kindOf(type: EventType): ActivityKind {
  if (Object.hasOwn(exportApprovalEvents, type)) return 'exports'
  return isAccess(type) ? kindOfAccess[type] : 'changes'
}

function isAccess(type: EventType): type is AdminAccessEvent['type'] {
  return Object.hasOwn(adminAccessEvents, type)
}

/**
 * The event types of a kind of activity. Null for all types. An event of another stream
 * category is something that an administrator changed.
 */
export function activityTypes(kind: ActivityQuery['kind']): readonly EventType[] | null {
  return kind === 'all' ? null : labeledTypes.filter((type) => kindOf(type) === kind)
}
