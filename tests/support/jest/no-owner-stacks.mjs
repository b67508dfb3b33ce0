import React from 'react'

/*
 * React's development build records a stack trace with each element that it creates, for the
 * stacks in its warnings. That is a fifth of the processor time of the screens' tests. Above its
 * own limit of elements per second React omits the traces, so this limit counts as reached. A
 * warning keeps its text.
 */
Object.defineProperty(
  React.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,
  'recentlyCreatedOwnerStacks',
  { get: () => Number.POSITIVE_INFINITY, set: () => {} },
)
