/** For a file that another process, or another call, may take away meanwhile: null where it is not there any more. */
export const unlessGone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}
