// SPDX-License-Identifier: GPL-2.0
/*
 * fusemem MNT [libfuse's options]: a FUSE filesystem of one file, MNT/file, that
 * is kept in memory. It asks for writeback caching, so that the page cache has
 * dirty folios of it.
 */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse.h>
#include <string.h>
#include <sys/stat.h>

#define SIZE	(16 << 20)
#define NAME	"file"

static char data[SIZE];

static void *fusemem_init(struct fuse_conn_info *conn, struct fuse_config *cfg)
{
	conn->want |= conn->capable & FUSE_CAP_WRITEBACK_CACHE;
	cfg->kernel_cache = 1;
	return NULL;
}

static int fusemem_getattr(const char *path, struct stat *st,
			   struct fuse_file_info *fi)
{
	(void)fi;
	memset(st, 0, sizeof(*st));
	if (!strcmp(path, "/")) {
		st->st_mode = S_IFDIR | 0755;
		st->st_nlink = 2;
	} else if (!strcmp(path, "/" NAME)) {
		st->st_mode = S_IFREG | 0644;
		st->st_nlink = 1;
		st->st_size = SIZE;
	} else {
		return -ENOENT;
	}
	return 0;
}

static int fusemem_read(const char *path, char *buf, size_t len, off_t pos,
			struct fuse_file_info *fi)
{
	(void)path;
	(void)fi;
	if (pos >= SIZE)
		return 0;
	if (len > (size_t)(SIZE - pos))
		len = SIZE - pos;
	memcpy(buf, data + pos, len);
	return len;
}

static int fusemem_write(const char *path, const char *buf, size_t len,
			 off_t pos, struct fuse_file_info *fi)
{
	(void)path;
	(void)fi;
	if (pos >= SIZE)
		return -EFBIG;
	if (len > (size_t)(SIZE - pos))
		len = SIZE - pos;
	memcpy(data + pos, buf, len);
	return len;
}

/* With writeback caching, times are the kernel's, which hands them down. */
static int fusemem_utimens(const char *path, const struct timespec ts[2],
			   struct fuse_file_info *fi)
{
	(void)path;
	(void)ts;
	(void)fi;
	return 0;
}

static const struct fuse_operations fusemem = {
	.init		= fusemem_init,
	.getattr	= fusemem_getattr,
	.read		= fusemem_read,
	.write		= fusemem_write,
	.utimens	= fusemem_utimens,
};

int main(int argc, char **argv)
{
	return fuse_main(argc, argv, &fusemem, NULL);
}
