/** One file for all of them, as those of imports. */
export { default as menu } from './stat-menu-screen.tsx'
export { default as activity } from './activity-screen.tsx'
export { default as references } from './reference-stats-screen.tsx'
export { default as readers } from './reader-stats-screen.tsx'
export { default as loans } from './loan-stats-screen.tsx'
export { default as yearly } from './yearly-report-screen.tsx'
export { default as outNow } from './out-now-screen.tsx'
