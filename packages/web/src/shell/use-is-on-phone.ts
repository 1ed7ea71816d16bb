import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as on phones, where the bar at the bottom takes the place of the rail. */
export const useIsOnPhone = () => useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
