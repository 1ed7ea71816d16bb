// Stands before the C library: counts syncs in the file SYNC_COUNT (a byte each), and fails them while the file SYNC_FAILS
// exists.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sync_or_fail(long number, int file) {
  const char *count = getenv("SYNC_COUNT"), *fails = getenv("SYNC_FAILS");
  if (fails && access(fails, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  int counter = count ? open(count, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
  if (counter >= 0) {
    (void)!write(counter, ".", 1);
    close(counter);
  }
  return (int)syscall(number, file);
}

int fsync(int file) { return sync_or_fail(SYS_fsync, file); }
int fdatasync(int file) { return sync_or_fail(SYS_fdatasync, file); }
