import { StartupError } from './startup-error.ts'

/** The sentence for a file system's refusal in the data directory `path`; returns any other error as it is. */
export function explainFileError(error: unknown, path: string): unknown {
  const { code = '', syscall, path: culprit = path } = error as NodeJS.ErrnoException
  // mkdir(2): EPERM says that the file system makes no directories. /proc answers ENOENT although the parent exists.
  if (syscall === 'mkdir' && (code === 'EPERM' || code === 'ENOENT')) {
    return new StartupError(
      `The file system of ${culprit} does not accept new directories: set DATA_DIR to a directory on a disk.`,
    )
  }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return new StartupError(
        `The data directory ${path} cannot be read and written by this account: run as its owner, or set DATA_DIR to a directory that can.`,
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
        `${culprit} is not a directory, and the data needs a directory there: move it away, or set DATA_DIR to another path.`,
      )
    default:
      return error
  }
}
