import { StartupError } from './startup-error.ts'

/**
 * Returns a StartupError for an error that the file system raised in the data directory `path`.
 * Returns any other error unchanged.
 */
export function explainFileError(error: unknown, path: string): unknown {
  const { code = '', syscall, path: culprit = path } = error as NodeJS.ErrnoException
  // mkdir(2): EPERM means that the file system does not support directories. /proc reports ENOENT
  // although the parent exists.
  if (syscall === 'mkdir' && (code === 'EPERM' || code === 'ENOENT')) {
    return new StartupError(
      `The file system of ${culprit} does not accept new directories: set DATA_DIR to a directory on a disk.`,
    )
  }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return new StartupError(
        `The data directory ${path} cannot be read and written by this user. Run as the owner of the directory, or set DATA_DIR to a directory that this user can read and write.`,
      )
    case 'EROFS':
      return new StartupError(
        `The data directory ${path} is on a read-only file system: set DATA_DIR to a directory that can be written.`,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartupError(
        `The disk that holds ${path} is full: free some space, or set DATA_DIR to a directory on another disk.`,
      )
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartupError(
        `${culprit} is not a directory, but the data directory needs one at this path: move the file, or set DATA_DIR to another path.`,
      )
    default:
      return error
  }
}
