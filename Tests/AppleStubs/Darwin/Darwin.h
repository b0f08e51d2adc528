// The declarations of Apple's C library that this package uses, and those that the toolchain's modules need. They have the types, the names of
// the members and the values of the SDK, as far as those are documented or fixed by its ABI; nothing here is linked or run.
#ifndef ANVIL_STUB_DARWIN_H
#define ANVIL_STUB_DARWIN_H

#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Not in the SDKs of iOS, tvOS, watchOS and visionOS, or marked there as what an application must not call.
#define MACOS_ONLY \
  __attribute__((availability(ios, unavailable))) __attribute__((availability(tvos, unavailable))) \
      __attribute__((availability(watchos, unavailable))) __attribute__((availability(visionos, unavailable)))

// Types.
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef uint16_t mode_t;
typedef int64_t off_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint16_t nlink_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef long ssize_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef uint32_t useconds_t;
typedef unsigned long clock_t;
typedef unsigned int u_int;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned long u_long;
typedef char *caddr_t;

// errno, read and written through a variable of the Swift overlay.
extern int *_Nonnull __error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ECHILD 10
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EINPROGRESS 36
#define EAFNOSUPPORT 47
#define EADDRINUSE 48
#define EADDRNOTAVAIL 49
#define ENETUNREACH 51
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOBUFS 55
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define ENAMETOOLONG 63
#define EHOSTUNREACH 65
#define EDQUOT 69
#define ENOTSUP 45
#define ENOTEMPTY 66
char *strerror(int);
int strerror_r(int, char *, size_t);

// Memory and text.
void *malloc(size_t) __attribute__((malloc));
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
size_t malloc_size(const void *);
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strdup(const char *);
char *strchr(const char *, int);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
double strtod(const char *, char **);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
int atoi(const char *);
uint32_t arc4random(void);
void arc4random_buf(void *, size_t);

// Mathematics.
double floor(double);
double ceil(double);
double round(double);
double trunc(double);
double rint(double);
double pow(double, double);
double exp(double);
double log(double);
double log2(double);
double log10(double);
double sqrt(double);
double sin(double);
double cos(double);
double fabs(double);
double fmod(double, double);
double ldexp(double, int);
double nextafter(double, double);

// Standard input and output.
typedef struct __sFILE FILE;
extern FILE *__stdinp;
extern FILE *__stdoutp;
extern FILE *__stderrp;
#define stdin __stdinp
#define stdout __stdoutp
#define stderr __stderrp
int fflush(FILE *);
int fputs(const char *, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
int fileno(FILE *);
int setvbuf(FILE *, char *, int, size_t);
int rename(const char *, const char *);
int remove(const char *);
int snprintf(char *, size_t, const char *, ...);
int vsnprintf(char *, size_t, const char *, va_list);
void perror(const char *);
#define EOF (-1)
#define _IONBF 2
#define _IOLBF 1

// Processes.
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int atexit(void (*)(void));
char *getenv(const char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
pid_t fork(void) MACOS_ONLY;
int execve(const char *, char *const *, char *const *) MACOS_ONLY;
int system(const char *) MACOS_ONLY;
int kill(pid_t, int);
pid_t waitpid(pid_t, int *, int);
unsigned int sleep(unsigned int);
int usleep(useconds_t);
int isatty(int);
char *ttyname(int);
long sysconf(int);
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

struct rlimit {
  uint64_t rlim_cur, rlim_max;
};
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
#define RLIMIT_CPU 0
#define RLIMIT_AS 5
#define RLIMIT_NOFILE 8

struct termios {
  unsigned long c_iflag, c_oflag, c_cflag, c_lflag;
  unsigned char c_cc[20];
  unsigned long c_ispeed, c_ospeed;
};
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
#define ECHO 0x00000008
#define TCSANOW 0
#define TCSAFLUSH 2
struct winsize {
  unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
#define TIOCGWINSZ 0x40087468UL

// Time.
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  char *tm_zone;
};
struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv,
      ru_nsignals, ru_nvcsw, ru_nivcsw;
};
int getrusage(int, struct rusage *);
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6, _CLOCK_PROCESS_CPUTIME_ID = 12, _CLOCK_THREAD_CPUTIME_ID = 16 } clockid_t;
int clock_gettime(clockid_t, struct timespec *);
clock_t clock(void);
time_t time(time_t *);
int gettimeofday(struct timeval *, void *);
int nanosleep(const struct timespec *, struct timespec *);
struct tm *gmtime_r(const time_t *, struct tm *);
struct tm *localtime_r(const time_t *, struct tm *);
time_t timegm(struct tm *);
time_t mktime(struct tm *);
int utimes(const char *, const struct timeval *);
void tzset(void);

// Files.
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  off_t st_size;
  blkcnt_t st_blocks;
  blksize_t st_blksize;
  uint32_t st_flags, st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);

#define ST_RDONLY 1
struct statvfs {
  unsigned long f_flag;
};
int statvfs(const char *, struct statvfs *);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int mkfifo(const char *, mode_t);
int mkdir(const char *, mode_t);
mode_t umask(mode_t);
int access(const char *, int);
int link(const char *, const char *);
int symlink(const char *, const char *);
int unlink(const char *);
int rmdir(const char *);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
int fsync(int);
int flock(int, int);
int mkstemp(char *);
char *mkdtemp(char *);
char *realpath(const char *, char *);
char *getcwd(char *, size_t);
int chdir(const char *);
int close(int);
int dup(int);
int dup2(int, int);
int pipe(int *);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85
#define F_DUPFD_CLOEXEC 67
#define F_SETNOSIGPIPE 73
#define FD_CLOEXEC 1
#define F_OK 0
#define R_OK (1 << 2)
#define W_OK (1 << 1)
#define X_OK (1 << 0)
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define AT_FDCWD -2
#define PATH_MAX 1024

// Signals.
typedef uint32_t sigset_t;
struct __siginfo;
struct sigaction {
  union {
    void (*__sa_handler)(int);
    void (*__sa_sigaction)(int, struct __siginfo *, void *);
  } __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGURG 16
#define SIGSTOP 17
#define SIGCONT 19
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGUSR1 30
#define SIGUSR2 31
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
int sigprocmask(int, const sigset_t *, sigset_t *);
int sigpending(sigset_t *);
int sigwait(const sigset_t *, int *);
int sigaction(int, const struct sigaction *, struct sigaction *);
int raise(int);
void (*signal(int, void (*)(int)))(int);

// Threads: a handle is a pointer.
typedef struct _opaque_pthread_t {
  long __sig;
  void *__cleanup_stack;
  char __opaque[8176];
} *pthread_t;
typedef struct _opaque_pthread_attr_t {
  long __sig;
  char __opaque[56];
} pthread_attr_t;
typedef struct _opaque_pthread_mutex_t {
  long __sig;
  char __opaque[56];
} pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t {
  long __sig;
  char __opaque[8];
} pthread_mutexattr_t;
typedef struct _opaque_pthread_cond_t {
  long __sig;
  char __opaque[40];
} pthread_cond_t;
typedef struct _opaque_pthread_condattr_t {
  long __sig;
  char __opaque[8];
} pthread_condattr_t;
typedef unsigned long pthread_key_t;
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_create(
    pthread_t _Nullable *_Nonnull, const pthread_attr_t *_Nullable, void *_Nullable (*_Nonnull)(void *_Nonnull), void *_Nullable);
int pthread_join(pthread_t _Nonnull, void *_Nullable *_Nullable);
int pthread_detach(pthread_t _Nonnull);
int pthread_equal(pthread_t _Nullable, pthread_t _Nullable);
pthread_t _Nonnull pthread_self(void);
int pthread_kill(pthread_t _Nonnull, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_cond_timedwait_relative_np(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_setname_np(const char *);
int pthread_threadid_np(pthread_t _Nullable, uint64_t *_Nullable);

// Sockets: addresses begin with their length.
typedef uint8_t sa_family_t;
typedef uint32_t socklen_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
struct sockaddr {
  uint8_t sa_len;
  sa_family_t sa_family;
  char sa_data[14];
};
struct in_addr {
  in_addr_t s_addr;
};
struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
struct in6_addr {
  union {
    uint8_t __u6_addr8[16];
    uint16_t __u6_addr16[8];
    uint32_t __u6_addr32[4];
  } __u6_addr;
};
struct sockaddr_in6 {
  uint8_t sin6_len;
  sa_family_t sin6_family;
  in_port_t sin6_port;
  uint32_t sin6_flowinfo;
  struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};
struct sockaddr_un {
  uint8_t sun_len;
  sa_family_t sun_family;
  char sun_path[104];
};
struct sockaddr_storage {
  uint8_t ss_len;
  sa_family_t ss_family;
  char __ss_pad1[6];
  int64_t __ss_align;
  char __ss_pad2[112];
};
struct linger {
  int l_onoff, l_linger;
};
struct iovec {
  void *iov_base;
  size_t iov_len;
};
struct addrinfo {
  int ai_flags, ai_family, ai_socktype, ai_protocol;
  socklen_t ai_addrlen;
  char *ai_canonname;
  struct sockaddr *ai_addr;
  struct addrinfo *ai_next;
};
extern const struct in6_addr in6addr_loopback;
extern const struct in6_addr in6addr_any;
#define INADDR_LOOPBACK (u_int32_t)0x7f000001
#define INADDR_ANY (u_int32_t)0x00000000
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define IPPROTO_TCP 6
#define IPPROTO_IPV6 41
#define TCP_NODELAY 0x01
#define IPV6_V6ONLY 27
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_KEEPALIVE 0x0008
#define SO_LINGER 0x0080
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define MSG_PEEK 0x2
#define MSG_WAITALL 0x40
#define MSG_DONTWAIT 0x80
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SOMAXCONN 128
#define AI_PASSIVE 0x00000001
#define AI_NUMERICHOST 0x00000004
int socket(int, int, int);
int socketpair(int, int, int, int *);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *_Nullable, socklen_t *_Nullable);
int connect(int, const struct sockaddr *, socklen_t);
int getsockname(int, struct sockaddr *_Nullable, socklen_t *_Nullable);
int getpeername(int, struct sockaddr *_Nullable, socklen_t *_Nullable);
int getsockopt(int, int, int, void *, socklen_t *);
int setsockopt(int, int, int, const void *, socklen_t);
int shutdown(int, int);
ssize_t recv(int, void *, size_t, int);
ssize_t send(int, const void *, size_t, int);
ssize_t sendto(int, const void *, size_t, int, const struct sockaddr *_Nullable, socklen_t);
int getaddrinfo(const char *_Nullable, const char *_Nullable, const struct addrinfo *_Nullable, struct addrinfo *_Nullable *_Nonnull);
void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int);
int inet_pton(int, const char *, void *);
const char *inet_ntop(int, const void *, char *, socklen_t);

// Waiting.
struct pollfd {
  int fd;
  short events, revents;
};
typedef unsigned int nfds_t;
int poll(struct pollfd *, nfds_t, int);
#define POLLIN 0x0001
#define POLLPRI 0x0002
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
typedef struct fd_set {
  int32_t fds_bits[32];
} fd_set;
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
struct kevent {
  uintptr_t ident;
  int16_t filter;
  uint16_t flags;
  uint32_t fflags;
  intptr_t data;
  void *udata;
};
int kqueue(void);
int kevent(
    int, const struct kevent *_Nullable, int, struct kevent *_Nullable, int, const struct timespec *_Nullable);
#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_USER (-10)
#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_CLEAR 0x0020
#define EV_EOF 0x8000
#define NOTE_TRIGGER 0x01000000

// Libraries.
typedef struct dl_info {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;
void *_Nullable dlopen(const char *_Nullable, int);
void *_Nullable dlsym(void *_Nullable, const char *_Nonnull);
int dlclose(void *_Nonnull);
char *dlerror(void);
int dladdr(const void *, Dl_info *);
#define RTLD_LAZY 0x1
#define RTLD_NOW 0x2
#define RTLD_LOCAL 0x4
#define RTLD_GLOBAL 0x8
int sysctlbyname(const char *, void *, size_t *, void *, size_t);

#endif
