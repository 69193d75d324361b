#pragma once
#include <gumbo.h>
#include <iconv.h>
