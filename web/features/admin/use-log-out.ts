import { useDispatch } from 'react-redux'
import { useAdminLogoutMutation } from '../../api/admin-api.ts'
import { api } from '../../api/api.ts'
import { forgetAdmin } from '../../lib/session-values.ts'

/**
 * The server ends the session. The flag and the cached rows are deleted even if the server cannot
 * be reached.
 */
export function useLogOut(): () => Promise<void> {
  const dispatch = useDispatch()
  const [logOutOnServer] = useAdminLogoutMutation()
  return async () => {
    await logOutOnServer()
    forgetAdmin()
    dispatch(api.util.resetApiState())
  }
}
