CREATE TABLE "quarry"."service_reports" (
	"instance" text PRIMARY KEY NOT NULL,
	"report" jsonb NOT NULL,
	"reported_at" timestamp with time zone NOT NULL
);
